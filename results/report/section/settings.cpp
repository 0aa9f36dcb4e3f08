#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "results/report/section/sections.h"
#include "results/report/section/style.h"

namespace fbt::results {
namespace {

std::string environment_text(const std::vector<Session>& sessions) {
  std::vector<std::string> environments;
  for (const Session& session : sessions) {
    const Environment& environment = session.environment;
    std::string text =
        fmt::format("fbt-eval {}, LibTorch {}, {}, {} threads", environment.program_version,
                    environment.libtorch_version, environment.device, environment.threads);
    if (!environment.sandbox_tier.empty()) text += ", sandbox " + environment.sandbox_tier;
    if (std::find(environments.begin(), environments.end(), text) == environments.end()) {
      environments.push_back(std::move(text));
    }
  }
  return fmt::format("{}", fmt::join(environments, "; "));
}

std::string sampling_text(const Plan& plan) {
  if (plan.kind != "generation") return "–";
  return fmt::format("{} × T {:g}, up to {} tokens", plan.samples,
                     fmt::join(plan.temperatures, ", "), plan.max_new_tokens);
}

Table settings_table(const ReportData& data) {
  Table table;
  table.columns = {{"run", false},         {"shots", true}, {"limit", true},
                   {"samples", false},     {"seed", true},  {"dtype", false},
                   {"chat format", false}, {"plan", false}, {"made by", false}};
  for (std::size_t i = 0; i < data.runs.size(); ++i) {
    const Plan& plan = data.runs[i].run.plan;
    table.rows.push_back({fmt::format("{} {}\n{}", plan.task, mode_label(plan),
                                      checkpoint_label(data, data.runs[i].run.checkpoint)),
                          std::to_string(plan.shots),
                          plan.limit ? std::to_string(*plan.limit) : "–", sampling_text(plan),
                          std::to_string(plan.seed), plan.dtype,
                          plan.chat_format.empty() ? "–" : plan.chat_format,
                          plan_hash(plan).substr(0, 12), environment_text(data.sessions[i])});
  }
  return table;
}

Table metric_table(const ReportData& data) {
  Table table;
  table.columns = {{"task", false}, {"metric", false}, {"definition", false}};
  for (const RunData& run : data.runs) {
    for (const Metric& metric : run.run.plan.metrics) {
      std::vector<std::string> row = {run.run.plan.task, metric.name, metric.definition};
      if (std::find(table.rows.begin(), table.rows.end(), row) == table.rows.end()) {
        table.rows.push_back(std::move(row));
      }
    }
  }
  return table;
}

}  // namespace

std::optional<Section> settings_section(const ReportData& data) {
  if (data.runs.empty()) return std::nullopt;
  Section section{"settings", "Settings", {}};
  section.blocks.emplace_back(Paragraph{
      "A plan holds every setting that can change an answer; runs of equal plans are comparable."});
  section.blocks.emplace_back(TableBlock{settings_table(data), "Settings of every run"});
  section.blocks.emplace_back(TableBlock{metric_table(data), "How each figure is made"});
  return section;
}

}  // namespace fbt::results
