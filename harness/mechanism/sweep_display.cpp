// Tables and JSON of a sweep over feedback steps.

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "harness/mechanism/sweep.h"

namespace fbt::mechanism {
namespace {

using nlohmann::json;

std::string value_text(const SweepCurve& curve, std::size_t step) {
  return curve.is_loss ? fmt::format("{:.4f}", curve.values[step])
                       : fmt::format("{:.2f} ±{:.2f}", 100 * curve.values[step],
                                     100 * curve.standard_errors[step]);
}

std::string difference_text(const SweepCurve& curve, const StepDifference& one) {
  const double unit = curve.is_loss ? 1 : 100;
  const int digits = curve.is_loss ? 4 : 2;
  return fmt::format("{:+.{}f} [{:+.{}f}, {:+.{}f}] p={:.3g}{}", unit * one.difference, digits,
                     unit * one.interval.low, digits, unit * one.interval.high, digits,
                     one.p_adjusted, one.p_adjusted < 0.05 ? " *" : "");
}

json differences_json(const std::vector<StepDifference>& differences) {
  json list = json::array();
  for (const StepDifference& one : differences) {
    list.push_back({{"difference", one.difference},
                    {"interval", {one.interval.low, one.interval.high}},
                    {"p", one.p},
                    {"p_adjusted", one.p_adjusted}});
  }
  return list;
}

}  // namespace

std::vector<results::Table> sweep_tables(const SweepResult& result) {
  results::Table values;
  values.title = fmt::format("{}: by feedback steps of the prefill (scores in %, ± standard error)",
                             result.checkpoint);
  results::Table tests;
  tests.title = "Paired differences between steps [95 %], p after Holm's correction";
  for (results::Table* table : {&values, &tests}) {
    table->columns.push_back({"", false});
    table->columns.push_back({"documents", true});
  }
  for (int n = 0; n <= result.steps; ++n) values.columns.push_back({std::to_string(n), true});
  for (int n = 1; n <= result.steps; ++n) {
    tests.columns.push_back({fmt::format("{} - {}", n, n - 1), true});
  }
  for (const SweepCurve& curve : result.curves) {
    std::vector<std::string> row = {curve.name, std::to_string(curve.documents)};
    std::vector<std::string> differences = row;
    for (std::size_t n = 0; n < curve.values.size(); ++n) row.push_back(value_text(curve, n));
    for (const StepDifference& one : curve.to_previous) {
      differences.push_back(difference_text(curve, one));
    }
    values.rows.push_back(std::move(row));
    tests.rows.push_back(std::move(differences));
  }
  tests.notes.push_back("* p < 0.05; the mean's test is a z test of its tasks' paired differences");
  return {values, tests};
}

json sweep_json(const SweepResult& result) {
  json curves = json::array();
  for (const SweepCurve& curve : result.curves) {
    curves.push_back({{"name", curve.name},
                      {"kind", curve.is_loss ? "loss" : "score"},
                      {"documents", curve.documents},
                      {"values", curve.values},
                      {"standard_errors", curve.standard_errors},
                      {"to_previous", differences_json(curve.to_previous)},
                      {"to_zero", differences_json(curve.to_zero)}});
  }
  return {{"schema", 1},
          {"experiment", "sweep"},
          {"checkpoint", result.checkpoint},
          {"steps", result.steps},
          {"curves", curves}};
}

}  // namespace fbt::mechanism
