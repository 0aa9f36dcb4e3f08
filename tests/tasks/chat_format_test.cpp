#include "tasks/chat_format.h"

#include <gmock/gmock.h>

#include "base/file.h"
#include "tests/support/errors.h"
#include "tests/support/paths.h"

namespace fbt::tasks {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ChatFormat, WrapsOneUserTurn) {
  const std::pair<const char*, const char*> cases[] = {
      {"plain", "Hi"},
      {"chatml", "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n"},
      {"llama3",
       "<|begin_of_text|><|start_header_id|>user<|end_header_id|>\n\nHi<|eot_id|>"
       "<|start_header_id|>assistant<|end_header_id|>\n\n"},
      {"phi", "<|im_start|>user<|im_sep|>Hi<|im_end|><|im_start|>assistant<|im_sep|>"},
      {"nanochat", "<|bos|><|user_start|>Hi<|user_end|><|assistant_start|>"},
  };
  for (const auto& [name, expected] : cases) {
    EXPECT_EQ(load_chat_format(name).wrap("Hi"), expected) << name;
  }
  EXPECT_EQ(chat_format_names().size(), std::size(cases));
}

TEST(ChatFormat, IsReadFromAFile) {
  const testing::TemporaryFolder folder;
  const std::string path = (folder.path() / "mine.json").string();
  write_file_atomically(path, R"({"name": "mine", "user": {"prefix": "U: ", "suffix": "\n"},
                                  "assistant": {"prefix": "A:"}, "stop": ["\nU:"]})");
  const ChatFormat format = load_chat_format(path);
  EXPECT_EQ(format.wrap("Hi"), "U: Hi\nA:");
  EXPECT_THAT(format.stop, ElementsAre("\nU:"));
}

TEST(ChatFormat, NamesWhatIsWrong) {
  const testing::TemporaryFolder folder;
  const std::string path = (folder.path() / "mine.json").string();
  write_file_atomically(path, R"({"name": "mine", "user": {"prefx": "U: "}})");
  const auto error_of = [](const std::string& name) {
    return testing::error_of([&] { load_chat_format(name); });
  };
  EXPECT_THAT(error_of(path), AllOf(HasSubstr(path), HasSubstr("did you mean prefix")));
  EXPECT_THAT(error_of("chatm"), HasSubstr("did you mean chatml"));
}

}  // namespace
}  // namespace fbt::tasks
