#include "scikit_learn.h"

#include <numeric>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json_lines.h"
#include "tests/support/paths.h"

namespace fbt::mechanism {

std::vector<ReferenceCase> scikit_learn_cases() {
  const auto path = testing::source_dir() / "tests/harness/mechanism/scikit_learn.json";
  std::vector<ReferenceCase> cases;
  const nlohmann::json file = parse_json(read_file(path), path.string());
  for (const auto& entry : file.at("cases")) {
    ReferenceCase& c = cases.emplace_back();
    c.name = entry.at("name");
    c.classes = entry.at("classes");
    for (const auto& row : entry.at("features")) {
      c.columns = row.size();
      for (const float value : row) c.values.push_back(value);
    }
    c.labels = entry.at("labels").get<std::vector<int>>();
    for (const auto& fit : entry.at("fits")) {
      ReferenceFit& reference = c.fits.emplace_back();
      reference.c = fit.at("C");
      for (const auto& row : fit.at("weights")) {
        for (const double weight : row) reference.weights.push_back(weight);
      }
      reference.intercepts = fit.at("intercepts").get<std::vector<double>>();
      reference.predictions = fit.at("predictions").get<std::vector<int>>();
    }
    c.inner_fold = entry.at("inner_fold").get<std::vector<int>>();
    c.best_c = entry.at("best_C");
  }
  return cases;
}

std::vector<std::size_t> all_rows(std::size_t n) {
  std::vector<std::size_t> rows(n);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

}  // namespace fbt::mechanism
