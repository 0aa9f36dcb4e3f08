#include "tasks/rows.h"

#include <zlib.h>

#include <gmock/gmock.h>

#include "base/file.h"
#include "tests/support/errors.h"
#include "tests/support/paths.h"

namespace fbt::tasks {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Rows : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& content) const {
    write_file_atomically(folder_.path() / name, content);
  }

  // Every row as "LINE:JSON".
  std::vector<std::string> read(const RowFile& file) const {
    std::vector<std::string> rows;
    for_each_row(DataSource(folder_.path().string()), file, [&](const Row& row) {
      rows.push_back(std::to_string(row.line) + ":" + row.value.dump());
    });
    return rows;
  }

  std::string error_of(const RowFile& file) const {
    return testing::error_of([&] { read(file); });
  }

  testing::TemporaryFolder folder_;
};

TEST_F(Rows, ReadEveryFormat) {
  write("a.jsonl", "{\"b\": 1, \"a\": \"\xE2\x80\xA8\"}\n\n{\"b\": 2}");
  EXPECT_THAT(read({"a.jsonl", {}, {}, {}}),
              ElementsAre("1:{\"b\":1,\"a\":\"\xE2\x80\xA8\"}", "3:{\"b\":2}"));
  write("a.json", "[{\"b\": 1},\n {\"b\": 2}]");
  EXPECT_THAT(read({"a.json", {}, {}, {}}), ElementsAre("1:{\"b\":1}", "2:{\"b\":2}"));
  write("b.json", "[\n  {\n    \"b\": [{}]\n  },\n\n  {\"b\": \"]\"}\n]\n");
  EXPECT_THAT(read({"b.json", {}, {}, {}}), ElementsAre("2:{\"b\":[{}]}", "6:{\"b\":\"]\"}"));
  write("a.csv", "1,\"x\r\n\"\"y\"\", z\"\r\n2,w\n");
  EXPECT_THAT(read({"a.csv", {"n", "t"}, {}, {}}),
              ElementsAre(R"(1:{"n":"1","t":"x\r\n\"y\", z"})", R"(3:{"n":"2","t":"w"})"));
  write("a.tsv", "n\tt\n1\t\"quoted\" text\n2\t\r\n");
  EXPECT_THAT(read({"a.tsv", {}, {}, {}}),
              ElementsAre(R"(2:{"n":"1","t":"\"quoted\" text"})", R"(3:{"n":"2","t":""})"));
}

TEST_F(Rows, ReadCompressedFiles) {
  const std::string path = (folder_.path() / "a.jsonl.gz").string();
  const gzFile file = gzopen(path.c_str(), "wb");
  gzputs(file, "{\"n\": 1}\n");
  gzclose(file);
  EXPECT_THAT(read({"a.jsonl", {}, {}, {}}), ElementsAre("1:{\"n\":1}"));
  EXPECT_THAT(read({"a.jsonl.gz", {}, {}, {}}), ElementsAre("1:{\"n\":1}"));
}

TEST_F(Rows, TakeLabelsAndKeepWhatIsAskedFor) {
  write("a.jsonl", "{\"n\": 1}\n{\"n\": 2}\n{\"n\": 3}\n");
  write("a.lst", "1\n0\n1\n");
  const RowFile file = {
      "a.jsonl", {}, LabelFile{"a.lst", "label"}, RowFilter{FieldPath("n", ""), 2, 9}};
  EXPECT_THAT(read(file), ElementsAre(R"(2:{"n":2,"label":"0"})", R"(3:{"n":3,"label":"1"})"));
}

TEST_F(Rows, NameFileLineAndFieldOfWhatIsMalformed) {
  struct Case {
    std::string name;
    std::string content;
    RowFile file;
    std::string message;
  };
  const RowFilter filter{FieldPath("n", ""), 0, 9};
  const Case cases[] = {
      {"a.jsonl", "{}\n{\"n\": }\n", {"a.jsonl", {}, {}, {}}, "a.jsonl:2 is not valid JSON"},
      {"a.jsonl", "{}\n[1]\n", {"a.jsonl", {}, {}, {}}, "a.jsonl:2 is not an object"},
      {"a.jsonl", "{\"m\": 1}\n", {"a.jsonl", {}, {}, filter}, "a.jsonl:1: field 'n' is missing"},
      {"a.jsonl",
       "{\"n\": \"x\"}",
       {"a.jsonl", {}, {}, filter},
       "field 'n' must be a whole number"},
      {"a.jsonl", "{\"n\": \"\xff\"}", {"a.jsonl", {}, {}, {}}, "a.jsonl:1 is not valid JSON"},
      {"a.json", "{\"n\": {}}", {"a.json", {}, {}, {}}, "a.json must hold a list"},
      {"a.json", "5", {"a.json", {}, {}, {}}, "a.json must hold a list"},
      {"a.json", "[{}\n, 5]", {"a.json", {}, {}, {}}, "a.json:2 is not an object"},
      {"a.json", "[{}\n, [{}]]", {"a.json", {}, {}, {}}, "a.json:2 is not an object"},
      {"a.json", "[{}", {"a.json", {}, {}, {}}, "a.json is not valid JSON"},
      {"a.json", "[{\"n\": 1},\n{}]", {"a.json", {}, {}, filter}, "a.json:2: field 'n' is missing"},
      {"a.csv",
       "a,b\n1,2\n3\n",
       {"a.csv", {}, {}, {}},
       "a.csv:3: 1 fields where 2 are needed (a, b)"},
      {"a.csv", "a\n\"x\ny", {"a.csv", {}, {}, {}}, "a.csv:2: a quote is opened here"},
      {"a.csv", "a\n\"x\"y\n", {"a.csv", {}, {}, {}}, "a.csv:2: text after a closing quote"},
      {"a.tsv", "a\tb\n1\t2\t3\n", {"a.tsv", {}, {}, {}}, "a.tsv:2: 3 fields"},
      {"a.jsonl.gz", "not gzip", {"b.jsonl", {}, {}, {}}, "b.jsonl is missing"},
  };
  for (const Case& c : cases) {
    write(c.name, c.content);
    EXPECT_THAT(error_of(c.file), HasSubstr(c.message)) << c.content;
  }
}

TEST_F(Rows, NeedAsManyLabelsAsRows) {
  write("a.jsonl", "{\"n\": 1}\n{\"n\": 2}\n");
  const RowFile file = {"a.jsonl", {}, LabelFile{"a.lst", "label"}, {}};
  write("a.lst", "1\n");
  EXPECT_THAT(error_of(file), HasSubstr("a.jsonl:2 has no label"));
  write("a.lst", "1\n0\n1\n");
  EXPECT_THAT(error_of(file), HasSubstr("holds 3 labels for the 2 rows"));
}

TEST_F(Rows, NameTheCommandThatBringsMissingData) {
  EXPECT_THAT(error_of({"gsm8k/test.jsonl", {}, {}, {}}),
              AllOf(HasSubstr("gsm8k/test.jsonl is missing"),
                    HasSubstr("fbt-eval data fetch gsm8k --data " + folder_.path().string())));
}

TEST(Samples, AreADataSource) {
  const DataSource samples("samples");
  EXPECT_TRUE(samples.has("gsm8k/test.jsonl"));
  EXPECT_FALSE(samples.has("piqa/valid.jsonl"));
  EXPECT_THAT(samples.read("mbpp/mbpp.jsonl"), Not(IsEmpty()));
  EXPECT_THAT(testing::error_of([&] { samples.read("piqa/valid.jsonl"); }),
              HasSubstr("only of gsm8k, mbpp"));
}

}  // namespace
}  // namespace fbt::tasks
