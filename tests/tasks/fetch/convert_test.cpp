#include "tasks/fetch/convert.h"

#include <gmock/gmock.h>

#include "tests/support/errors.h"

namespace fbt::tasks {
namespace {

using ::testing::HasSubstr;

struct Case {
  const char* conversion;
  std::string download;
  std::string expected;
};

TEST(Convert, GivesTheReleaseForm) {
  const Case cases[] = {
      {"crlf_to_lf", "a\r\nb\rc\r\n", "a\nb\rc\n"},
      {"mmlu_release",
       "question,choice0,choice1,choice2,choice3,answer\n"
       "Why?,\"a, b\",\"say \"\"x\"\"\",c,d,3\n\"two\r\nlines\",1,2,3,4,0\n",
       "Why?,\"a, b\",\"say \"\"x\"\"\",c,d,D\n\"two\r\nlines\",1,2,3,4,A\n"},
      {"arc_release",
       R"({"id": "q1", "question": {"stem": "Why é?", "choices": [{"text": "a", "label": "A", )"
       R"("para": "long"}, {"text": "b", "label": "B", "para": ""}]}, "answerKey": "B"})"
       "\n",
       R"({"id":"q1","question":{"stem":"Why é?","choices":[{"text":"a","label":"A"},)"
       R"({"text":"b","label":"B"}]},"answerKey":"B"})"
       "\n"},
      {"glue_rte",
       "sentence1\tsentence2\tlabel\tidx\n"
       "Plain.\tShort.\t1\t0\n\"He said \"\"no\"\".\"\t\"\"\"No\"\" it is.\"\t0\t1\n",
       "index\tsentence1\tsentence2\tlabel\n"
       "0\tPlain.\tShort.\tnot_entailment\n1\tHe said \"no\".\t\"No\" it is.\tentailment\n"},
      {"python_examples",
       "def f():\n    return [{\"problem\": \"$\\\\frac12$\", \"solution\": \"one\\nhalf \"\n"
       "      \"\\\"more\\\"\",},]\n",
       "[\n {\n  \"problem\": \"$\\\\frac12$\",\n  \"solution\": \"one\\nhalf \\\"more\\\"\"\n "
       "}\n]"},
      {"yaml_primer",
       "task: t\ndoc_to_text: \"\\\n  {% set p = '\\\n  Q: a?\\n\\\n  A: b.\\n\\n\\\n  Q: c?\\n\\\n"
       "  A: d.\\\n  '%}\\\n  {{p + question}}\"\n",
       "Q: a?\nA: b.\n\nQ: c?\nA: d."},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(convert(c.conversion, c.download, "origin"), c.expected) << c.conversion;
  }
}

TEST(Convert, RefusesAnotherForm) {
  const std::pair<const char*, std::string> cases[] = {
      {"mmlu_release", "q,a,b,c,d,answer\nWhy?,a,b,c,d,7\n"},
      {"mmlu_release", "q,a\n"},
      {"arc_release", "{\"id\": 1}\n"},
      {"arc_release", "not json\n"},
      {"glue_rte", "sentence1\tsentence2\tlabel\tidx\nonly one\n"},
      {"python_examples", "print(1)"},
      {"python_examples", "{\"problem\": \"x\"}"},
      {"yaml_primer", "doc_to_text: 'x'"},
      {"yaml_primer", "doc_to_text: \"x"},
  };
  for (const auto& [conversion, download] : cases) {
    EXPECT_THAT(testing::error_of([&] { convert(conversion, download, "the origin"); }),
                HasSubstr("the origin"))
        << conversion << " of " << download;
  }
}

}  // namespace
}  // namespace fbt::tasks
