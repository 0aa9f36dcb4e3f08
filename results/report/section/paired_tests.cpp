#include <algorithm>

#include <fmt/format.h>

#include "results/report/section/sections.h"
#include "results/report/section/style.h"

namespace fbt::results {
namespace {

// One mode of a checkpoint against its standard mode.
struct ModeTest {
  std::string checkpoint;
  ComparisonColumn column;
  ComparisonCell cell;
  long long gained = 0;  // documents wrong in standard mode and right in this one
  long long lost = 0;
};

const RunData* find_run(const ReportData& data, const std::string& hash, const std::string& task,
                        const std::string& mode) {
  for (const RunData& run : data.runs) {
    if (run.run.checkpoint.content_hash == hash && run.run.plan.task == task &&
        mode_label(run.run.plan) == mode) {
      return &run;
    }
  }
  return nullptr;
}

void count_discordant(const ReportData& data, const std::string& hash, ModeTest& test) {
  const RunData* standard = find_run(data, hash, test.column.task, "standard");
  const RunData* other = find_run(data, hash, test.column.task, test.column.mode);
  if (standard == nullptr || other == nullptr) return;
  const CompareOptions& options = data.comparison.options;
  const PairedScores pairs = pair_documents(
      *standard, choose_scores(*standard, options.temperature, options.metric).per_document, *other,
      choose_scores(*other, options.temperature, options.metric).per_document);
  for (std::size_t d = 0; d < pairs.first.size(); ++d) {
    test.gained += pairs.first[d] < pairs.second[d] ? 1 : 0;
    test.lost += pairs.first[d] > pairs.second[d] ? 1 : 0;
  }
}

std::vector<ModeTest> mode_tests(const ReportData& data) {
  std::vector<ModeTest> tests;
  for (const ComparisonRow& row : data.comparison.rows) {
    const std::string& hash = row.checkpoint.content_hash;
    std::vector<RunData> runs;
    for (const RunData& run : data.runs) {
      if (run.run.checkpoint.content_hash == hash) runs.push_back(run);
    }
    CompareOptions options = data.comparison.options;
    options.baseline = hash;
    options.baseline_mode = "standard";
    const Comparison comparison = compare_runs(runs, options);
    for (std::size_t i = 0; i < comparison.columns.size(); ++i) {
      const auto& cell = comparison.rows.front().cells[i];
      if (!cell || !cell->difference || comparison.columns[i].mode == "standard") continue;
      if (is_part_of_group(data, comparison.columns[i].task)) continue;
      ModeTest& test = tests.emplace_back(
          ModeTest{checkpoint_label(data, row.checkpoint), comparison.columns[i], *cell});
      if (!comparison.columns[i].is_group) count_discordant(data, hash, test);
    }
  }
  return tests;
}

// The correction runs over the checkpoint's table in compare; here over the whole report.
void correct(std::vector<ModeTest>& tests, double level) {
  std::vector<double> p_values;
  for (const ModeTest& test : tests) p_values.push_back(test.cell.difference->p);
  const std::vector<double> adjusted = holm(p_values);
  for (std::size_t i = 0; i < tests.size(); ++i) {
    tests[i].cell.p_adjusted = adjusted[i];
    tests[i].cell.significant = adjusted[i] < 1 - level;
  }
}

std::string verdict(const ModeTest& test) {
  const PairedComparison& difference = *test.cell.difference;
  const std::string counts =
      test.column.is_group
          ? ""
          : fmt::format("better on {} documents, worse on {}: ", grouped(test.gained),
                        grouped(test.lost));
  if (test.cell.significant) {
    return fmt::format("{}{} is {} than standard", counts, test.column.mode,
                       difference.difference > 0 ? "better" : "worse");
  }
  if (difference.detectable == 0) return "the same on every document";
  return fmt::format(
      "{}no difference shown; a true one of {} points would be found four times in "
      "five, smaller ones less often",
      counts, percent(difference.detectable, 1));
}

Table test_table(const std::vector<ModeTest>& tests) {
  Table table;
  table.columns = {{"checkpoint", false}, {"task", false},      {"mode", false},
                   {"documents", true},   {"difference", true}, {"p", true},
                   {"p, Holm", true},     {"in words", false},  {"test", false}};
  for (const ModeTest& test : tests) {
    const PairedComparison& difference = *test.cell.difference;
    table.rows.push_back(
        {test.checkpoint, test.column.task, test.column.mode,
         grouped(static_cast<long long>(difference.documents)),
         fmt::format("{}{}\n[{}, {}]", signed_percent(difference.difference, 2),
                     test.cell.significant ? " *" : "", signed_percent(difference.interval.low, 1),
                     signed_percent(difference.interval.high, 1)),
         fmt::format("{:.3g}", difference.p), fmt::format("{:.3g}", test.cell.p_adjusted),
         verdict(test), difference.test});
  }
  return table;
}

std::string whole_table_words(std::size_t tests, double level) {
  const double alpha = 1 - level;
  return fmt::format(
      "{} of a mode against standard mode on the same documents. Were there no true difference "
      "anywhere, {:.2g} of them would come out below p = {:.2g} by chance; Holm's correction keeps "
      "the chance of even one false mark at {:.0f} % or less.",
      tests == 1 ? std::string("One test") : fmt::format("{} tests", tests),
      alpha * static_cast<double>(tests), alpha, 100 * alpha);
}

// How the tests that were used behave where nothing differs.
void add_calibration(const std::vector<ModeTest>& tests, double level, std::vector<Block>& blocks) {
  std::optional<double> least;
  double most = 0;
  for (const ModeTest& test : tests) {
    if (test.cell.difference->test != "exact McNemar") continue;
    const double rate = mcnemar_false_alarm_rate(test.gained + test.lost, 1 - level);
    least = std::min(least.value_or(rate), rate);
    most = std::max(most, rate);
  }
  const auto used = [&](const char* name) {
    return std::any_of(tests.begin(), tests.end(),
                       [&](const ModeTest& test) { return test.cell.difference->test == name; });
  };
  const double alpha = 100 * (1 - level);
  if (least) {
    blocks.emplace_back(Paragraph{fmt::format(
        "Exact McNemar (right or wrong): looks only at the documents on which the two differ, and "
        "errs on the safe side because counts are whole numbers. With as many differing documents "
        "as here it calls {} of equal pairs different, where {:.3g} % are allowed.{}",
        *least == most ? fmt::format("{} %", percent(most, 1))
                       : fmt::format("{} to {} %", percent(*least, 1), percent(most, 1)),
        alpha,
        *least == 0 ? " Where it is 0 %, too few differ for any outcome to be significant." : "")});
  }
  if (used("paired bootstrap")) {
    blocks.emplace_back(Paragraph{fmt::format(
        "Paired bootstrap (Pass@k and other shares): 10,000 resamples of documents, BCa intervals. "
        "Its false alarms near {:.3g} % as documents grow many; with few it is approximate.",
        alpha)});
  }
  if (used("clustered z")) {
    blocks.emplace_back(Paragraph{
        "Clustered z (tasks with subjects): questions of one subject rise and fall together, so "
        "residuals are summed within subjects; with few subjects its intervals are too short."});
  }
}

}  // namespace

std::optional<Section> paired_tests_section(const ReportData& data) {
  std::vector<ModeTest> tests = mode_tests(data);
  if (tests.empty()) return std::nullopt;
  const double level = data.comparison.options.level;
  correct(tests, level);
  Section section{"paired-tests", "Paired tests", {}};
  section.blocks.emplace_back(Paragraph{whole_table_words(tests.size(), level)});
  section.blocks.emplace_back(TableBlock{test_table(tests), ""});
  section.blocks.emplace_back(Subheading{"How far to trust them"});
  add_calibration(tests, level, section.blocks);
  return section;
}

}  // namespace fbt::results
