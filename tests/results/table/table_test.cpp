#include "results/table/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace fbt::results {
namespace {

Table sample() {
  Table table;
  table.title = "A & B";
  table.columns = {{"name", false}, {"Δ score", true}};
  table.rows = {{"a_1", "+1.50"}, {}, {"50% ≈ \"b\", c|d", "3"}};
  table.notes = {"see #1"};
  return table;
}

TEST(Table, Terminal) {
  EXPECT_EQ(render(sample(), TableFormat::kTerminal),
            "A & B\n\n"
            "name            Δ score\n"
            "───────────────────────\n"
            "a_1               +1.50\n"
            "───────────────────────\n"
            "50% ≈ \"b\", c|d        3\n"
            "\nsee #1\n");
}

TEST(Table, Markdown) {
  EXPECT_EQ(render(sample(), TableFormat::kMarkdown),
            "**A & B**\n\n"
            "| name | Δ score |\n| --- | ---: |\n"
            "| a\\_1 | +1.50 |\n| 50% ≈ \"b\", c\\|d | 3 |\n"
            "\nsee #1\n");
}

TEST(Table, LatexEscapesWhatLatexReads) {
  EXPECT_EQ(render(sample(), TableFormat::kLatex),
            "\\begin{table}\n\\centering\n\\caption{A \\& B}\n"
            "\\begin{tabular}{lr}\n\\toprule\nname & $\\Delta$ score \\\\\n\\midrule\n"
            "a\\_1 & +1.50 \\\\\n\\midrule\n50\\% $\\approx$ \"b\", c|d & 3 \\\\\n"
            "\\bottomrule\n\\end{tabular}\n\\par\\smallskip\\footnotesize see \\#1\n"
            "\\end{table}\n");
}

TEST(Table, CsvQuotesAndLeavesProseOut) {
  EXPECT_EQ(render(sample(), TableFormat::kCsv),
            "name,Δ score\r\na_1,+1.50\r\n\"50% ≈ \"\"b\"\", c|d\",3\r\n");
}

TEST(Table, UnknownFormatIsNamed) {
  EXPECT_THAT(
      [] { table_format_from_name("markdwn"); },
      ::testing::ThrowsMessage<InputError>("unknown format 'markdwn'; did you mean markdown?"));
}

TEST(Table, Numbers) {
  EXPECT_EQ(percent(0.53084), "53.08");
  EXPECT_EQ(signed_percent(-0.012), "-1.20");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(grouped(-1000), "-1,000");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(token_count(200e9), "200B");
  EXPECT_EQ(token_count(1e12), "1T");
  EXPECT_EQ(token_count(999.7e9), "1T");
  EXPECT_EQ(token_count(36.54e9), "36.5B");
  EXPECT_EQ(token_count(250e6), "250M");
}

}  // namespace
}  // namespace fbt::results
