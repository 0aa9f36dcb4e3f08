#include "base/error.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace fbt {
namespace {

std::size_t levenshtein(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitution = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitution});
    }
  }
  return row[b.size()];
}

}  // namespace

std::vector<std::string> nearest_names(std::string_view wrong,
                                       const std::vector<std::string>& known) {
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& name : known) {
    const std::size_t distance = levenshtein(wrong, name);
    const std::size_t longer = std::max(wrong.size(), name.size());
    if (distance <= (longer <= 3 ? 1 : std::max<std::size_t>(2, longer / 3))) {
      near.emplace_back(distance, name);
    }
  }
  std::sort(near.begin(), near.end());
  std::vector<std::string> names;
  for (std::size_t i = 0; i < near.size() && i < 3; ++i) names.push_back(near[i].second);
  return names;
}

std::string unknown_name_message(std::string_view kind, std::string_view wrong,
                                 const std::vector<std::string>& known) {
  const std::vector<std::string> near = nearest_names(wrong, known);
  if (!near.empty()) {
    return fmt::format("unknown {} '{}'; did you mean {}?", kind, wrong, fmt::join(near, " or "));
  }
  return fmt::format("unknown {} '{}'; known: {}", kind, wrong, fmt::join(known, ", "));
}

}  // namespace fbt
