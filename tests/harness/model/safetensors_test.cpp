#include "harness/model/safetensors.h"

#include <cstring>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/support/paths.h"

namespace fbt {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string file_of(std::string_view header, std::string_view data) {
  const std::uint64_t length = header.size();
  std::string content(8, '\0');
  std::memcpy(content.data(), &length, 8);
  return content.append(header).append(data);
}

std::span<const std::byte> as_bytes(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

TEST(Safetensors, ReadsTypesShapesAndBytes) {
  const std::string content = file_of(R"({"__metadata__":{"format":"pt"},)"
                                      R"("b":{"dtype":"BF16","shape":[3],"data_offsets":[8,14]},)"
                                      R"("a":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}})",
                                      "aaaabbbbccddee");
  const auto tensors = parse_safetensors(as_bytes(content), "file");
  ASSERT_EQ(tensors.size(), 2u);
  EXPECT_EQ(tensors.at("a").type, StoredType::kF32);
  EXPECT_THAT(tensors.at("a").shape, ::testing::ElementsAre(1, 2));
  EXPECT_EQ(std::memcmp(tensors.at("a").bytes.data(), "aaaabbbb", 8), 0);
  EXPECT_EQ(tensors.at("b").type, StoredType::kBf16);
  EXPECT_EQ(std::memcmp(tensors.at("b").bytes.data(), "ccddee", 6), 0);
}

struct BadFile {
  std::string content;
  const char* expected;
};

TEST(Safetensors, RefusesDamagedFiles) {
  std::string long_header(8, '\xff');
  const BadFile cases[] = {
      {"", "truncated"},
      {"1234567", "truncated"},
      {long_header, "its header claims"},
      {file_of("{}", "").substr(0, 9), "its header claims 2 bytes"},
      {file_of("{", ""), "not valid JSON"},
      {file_of("[]", ""), "no object"},
      {file_of(R"({"a":1})", ""), "tensor a has no dtype"},
      {file_of(R"({"a":{"dtype":"I8","shape":[1],"data_offsets":[0,1]}})", "x"),
       "dtype \"I8\"; supported are F32, BF16 and F16"},
      {file_of(R"({"a":{"dtype":"F16","shape":[-1],"data_offsets":[0,2]}})", "xx"), "shape"},
      {file_of(R"({"a":{"dtype":"F16","shape":[1]}})", "xx"), "data_offsets"},
      {file_of(R"({"a":{"dtype":"F16","shape":[1],"data_offsets":[2,0]}})", "xx"), "data_offsets"},
      {file_of(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", "xxxx"),
       "ends at byte 8 of 4"},
      {file_of(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", "xxxx"), "has 4 bytes"},
      {file_of(R"({"a":{"dtype":"F16","shape":[281474976710656,281474976710656],)"
               R"("data_offsets":[0,0]}})",
               ""),
       "has 0 bytes"},
      {file_of(R"({"a":{"dtype":"F16","shape":[1],"data_offsets":[0,2]},)"
               R"("b":{"dtype":"F16","shape":[1],"data_offsets":[0,2]}})",
               "xx"),
       "overlap"},
      {file_of(R"({"a":{"dtype":"F16","shape":[1],"data_offsets":[2,4]}})", "xxxx"), "gap"},
      {file_of(R"({"a":{"dtype":"F16","shape":[1],"data_offsets":[0,2]}})", "xxxx"),
       "2 bytes after the last tensor"},
  };
  for (const BadFile& bad : cases) {
    try {
      parse_safetensors(as_bytes(bad.content), "m.safetensors");
      ADD_FAILURE() << "accepted, but expected: " << bad.expected;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(),
                  AllOf(HasSubstr("m.safetensors"), HasSubstr(bad.expected), Not(HasSubstr("\n"))));
    }
  }
}

TEST(Safetensors, EveryTruncationOfAFileIsRefused) {
  const std::string content =
      file_of(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", "12345678");
  for (std::size_t length = 0; length < content.size(); ++length) {
    // A copy of its own, so that a sanitizer sees reads past its end.
    const std::string cut = content.substr(0, length);
    EXPECT_THROW(parse_safetensors(as_bytes(cut), "m"), InputError) << length;
  }
}

class SafetensorsFiles : public ::testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, const std::vector<std::string>& tensors) {
    std::vector<TensorToWrite> list;
    for (const std::string& tensor : tensors) {
      list.push_back({tensor, StoredType::kF32, {2}, "12345678"});
    }
    write_safetensors(folder_.path() / name, list);
    return folder_.path() / name;
  }

  testing::TemporaryFolder folder_;
};

TEST_F(SafetensorsFiles, ReadsWhatItWrites) {
  const auto path = folder_.path() / "m.safetensors";
  write_safetensors(path, {{"x", StoredType::kF32, {1, 2}, "12345678"},
                           {"y", StoredType::kF16, {}, "ab"},
                           {"z", StoredType::kBf16, {2}, "cdef"}});
  const SafetensorsReader reader({path});
  EXPECT_THAT(reader.tensor("x").shape, ::testing::ElementsAre(1, 2));
  EXPECT_EQ(reader.tensor("y").type, StoredType::kF16);
  EXPECT_TRUE(reader.tensor("y").shape.empty());
  EXPECT_EQ(std::memcmp(reader.tensor("z").bytes.data(), "cdef", 4), 0);
  reader.release("x");
  EXPECT_EQ(std::memcmp(reader.tensor("x").bytes.data(), "12345678", 8), 0);
}

TEST_F(SafetensorsFiles, JoinsShardsAndRefusesDoubles) {
  const auto first = write("1.safetensors", {"a", "b"});
  const auto second = write("2.safetensors", {"c"});
  const auto third = write("3.safetensors", {"b"});
  const SafetensorsReader reader({first, second});
  EXPECT_EQ(reader.tensor("a").shape, reader.tensor("c").shape);
  try {
    const SafetensorsReader doubled({first, third});
    ADD_FAILURE() << "a tensor in two shards was accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("tensor b is in another shard too"));
  }
}

TEST_F(SafetensorsFiles, NamesMissingUnknownAndMisshapenTensors) {
  const SafetensorsReader reader({write("m.safetensors", {"a", "b"})});
  const TensorSpec a{"a", {2}, TensorGroup::kNorm};
  const TensorSpec b{"b", {2}, TensorGroup::kNorm};
  EXPECT_NO_THROW(reader.check({a, b}));
  const auto message = [&](const std::vector<TensorSpec>& expected) -> std::string {
    try {
      reader.check(expected);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(message({a, b, {"c", {2}, TensorGroup::kNorm}}), HasSubstr("missing tensors: c"));
  EXPECT_THAT(message({a}), HasSubstr("does not ask for: b"));
  EXPECT_THAT(message({a, {"b", {1, 2}, TensorGroup::kNorm}}),
              HasSubstr("tensor b has shape [2], but config.json asks for [1, 2]"));
}

TEST_F(SafetensorsFiles, MissingFileIsAnInputError) {
  EXPECT_THROW(SafetensorsReader({folder_.path() / "none.safetensors"}), InputError);
}

TEST(Safetensors, GoldenCheckpointMatchesItsConfig) {
  FBT_REQUIRE_SHARED("golden/model/model.safetensors");
  const auto folder = testing::shared_dir() / "golden/model";
  const SafetensorsReader reader({folder / "model.safetensors"});
  EXPECT_NO_THROW(reader.check(tensor_list(read_model_config(folder / "config.json"))));
}

}  // namespace
}  // namespace fbt
