#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "results/report/section/sections.h"
#include "results/report/section/style.h"

namespace fbt::results {
namespace {

std::string or_dash(const std::string& text) {
  return text.empty() ? "–" : text;
}

Table checkpoint_table(const ReportData& data) {
  Table table;
  table.columns = {{"checkpoint", false},    {"family", false},
                   {"stage", false},         {"training tokens", true},
                   {"average passes", true}, {"effective compute", true},
                   {"runs", true},           {"content hash", false}};
  for (const ComparisonRow& row : data.comparison.rows) {
    const Checkpoint& checkpoint = row.checkpoint;
    const auto runs = std::count_if(data.runs.begin(), data.runs.end(), [&](const RunData& run) {
      return run.run.checkpoint.content_hash == checkpoint.content_hash;
    });
    table.rows.push_back(
        {checkpoint_label(data, checkpoint), or_dash(checkpoint.family), or_dash(checkpoint.stage),
         checkpoint.train_tokens ? token_count(*checkpoint.train_tokens) : "–",
         checkpoint.average_passes ? fmt::format("{:.3g}", *checkpoint.average_passes) : "–",
         row.effective_compute ? token_count(*row.effective_compute) : "–", std::to_string(runs),
         checkpoint.content_hash.substr(0, 12)});
  }
  table.notes.emplace_back("effective compute: training tokens × average passes");
  return table;
}

// "2026-01-31 12:00" of "2026-01-31T12:00:59Z".
std::string minute_of(const std::string& time) {
  return time.size() < 16 ? time : fmt::format("{} {}", time.substr(0, 10), time.substr(11, 5));
}

std::string span_of_time(const ReportData& data) {
  std::string first;
  std::string last;
  for (const RunData& run : data.runs) {
    const std::string& started = run.run.started_at;
    if (first.empty() || started < first) first = started;
    last = std::max({last, started, run.run.finished_at});
  }
  return fmt::format("{} runs from {} ({}), made between {} and {} (UTC)", data.runs.size(),
                     data.files.size() == 1 ? "one results file"
                                            : fmt::format("{} results files", data.files.size()),
                     fmt::join(data.files, ", "), minute_of(first), minute_of(last));
}

void add_warnings(const ReportData& data, std::vector<Block>& blocks) {
  std::vector<std::string> incomplete;
  int undecided = 0;
  for (const RunData& run : data.runs) {
    if (run.run.complete()) continue;
    incomplete.push_back(fmt::format("{} {} of {} ({} of {} documents)", run.run.plan.task,
                                     mode_label(run.run.plan), run.run.checkpoint.name,
                                     run.run.documents_done, run.run.documents_planned));
  }
  for (const SummaryRow& row : data.summary.rows) undecided += row.undecided;
  if (!incomplete.empty()) {
    blocks.emplace_back(
        Paragraph{fmt::format("Not complete: {}. The same command goes on with a run.",
                              fmt::join(incomplete, "; ")),
                  true});
  }
  if (undecided > 0) {
    blocks.emplace_back(
        Paragraph{fmt::format("{} could not be judged and count as wrong.",
                              undecided == 1 ? "One sample" : grouped(undecided) + " samples"),
                  true});
  }
}

}  // namespace

std::optional<Section> overview_section(const ReportData& data) {
  if (data.runs.empty()) return std::nullopt;
  Section section{"overview", "Overview", {}};
  section.blocks.emplace_back(Paragraph{span_of_time(data) + "."});
  add_warnings(data, section.blocks);
  section.blocks.emplace_back(TableBlock{checkpoint_table(data), ""});
  return section;
}

}  // namespace fbt::results
