#include "scorers/code.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace fbt::scorers {
namespace {

struct CutCase {
  std::string completion;
  std::vector<std::string> stop;
  std::string cut;
};

TEST(CutAtStop, CutsAtTheEarliest) {
  const CutCase cases[] = {
      {"  return 1\nclass A", {"\nclass", "\ndef"}, "  return 1"},
      {"  return 1\ndef f\nclass", {"\nclass", "\ndef"}, "  return 1"},
      {"  return 1\n", {"\nclass"}, "  return 1\n"},
      {"whole", {}, "whole"},
      {"whole", {""}, "whole"},
      {"#stop first", {"#stop"}, ""},
      {"", {"x"}, ""},
      {"abab", {"bab", "ab"}, ""},
  };
  for (const CutCase& each : cases) EXPECT_EQ(cut_at_stop(each.completion, each.stop), each.cut);
}

struct ChatCase {
  std::string answer;
  std::string function;
  std::string code;
};

TEST(CodeFromChat, TakesTheBlock) {
  const ChatCase cases[] = {
      {"no block at all", "f", "no block at all"},
      {"Sure:\n```python\ndef f():\n    return 1\n```\nDone.", "f", "def f():\n    return 1\n"},
      {"```\nx = 1\n```", "", "x = 1\n"},
      {"~~~py\nx = 1\n~~~", "", "x = 1\n"},
      // Never closed: the answer was cut off.
      {"```python\ndef f():\n    return 1", "f", "def f():\n    return 1\n"},
      // The block that defines the function goes before others...
      {"```python\nprint(1)\n```\n```python\ndef f(x):\n  pass\n```", "f", "def f(x):\n  pass\n"},
      // ... then the first marked as Python ...
      {"```sh\npip\n```\n```Python3 title=x\nnope\n```\n```python\ny\n```", "f", "y\n"},
      // ... then the first.
      {"```\na\n```\n```\nb\n```", "f", "a\n"},
      // A longer fence may hold a shorter one.
      {"````python\ns = '''\n```\n'''\n````", "", "s = '''\n```\n'''\n"},
      // Windows line ends; indented fence.
      {"1. so:\r\n   ```python\r\n   x\r\n   ```\r\n", "", "   x\n"},
      {"```python\n```", "", ""},
      {"", "f", ""},
  };
  for (const ChatCase& each : cases) {
    EXPECT_EQ(code_from_chat(each.answer, each.function), each.code) << each.answer;
  }
}

TEST(LastFunction, IsTheLastAtTopLevel) {
  EXPECT_EQ(last_function("def a():\n  pass\ndef b (x):\n  def c(): pass\n"), "b");
  EXPECT_EQ(last_function("def a():\r\n  pass\r\n"), "a");
  EXPECT_EQ(last_function("async def a(): pass"), "a");
  EXPECT_EQ(last_function("define = 1\nclass A:\n  def m(self): pass"), "");
}

TEST(HumanEvalProgram, IsPutTogetherAsTheOriginalDoes) {
  EXPECT_EQ(human_eval_program("def f():\n", "    return 1\n",
                               "def check(c):\n    assert c() == 1\n", "f"),
            "def f():\n    return 1\n\ndef check(c):\n    assert c() == 1\n\ncheck(f)");
}

TEST(HumanEvalChatProgram, KeepsThePromptsHelpers) {
  const std::string prompt = "import math\ndef helper(): pass\ndef f():\n    \"\"\"doc\"\"\"\n";
  EXPECT_EQ(human_eval_chat_program(prompt, "def f():\n    return 1\n", "T", "f"),
            "import math\ndef helper(): pass\ndef f():\n    return 1\n\nT\ncheck(f)");
  // Only a body: the prompt stays whole.
  EXPECT_EQ(human_eval_chat_program(prompt, "    return 1\n", "T", "f"),
            prompt + "    return 1\n\nT\ncheck(f)");
}

TEST(MbppProgram, HasSetUpAndTests) {
  EXPECT_EQ(mbpp_program("def f(): return 1", "x = 1",
                         std::vector<std::string>{"assert f() == x", "assert f()"}),
            "def f(): return 1\nx = 1\nassert f() == x\nassert f()\n");
}

}  // namespace
}  // namespace fbt::scorers
