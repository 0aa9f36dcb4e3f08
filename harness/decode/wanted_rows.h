#pragma once

// Scored tokens by the row they follow, so that each row's logits are computed once.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "harness/decode/token_choice.h"

namespace fbt {

struct WantedRows {
  std::vector<std::int64_t> rows;       // distinct, ascending
  std::vector<std::size_t> order;       // of the wanted tokens, by row
  std::vector<std::size_t> row_begins;  // rows[r] has order[row_begins[r] .. row_begins[r + 1])

  explicit WantedRows(std::span<const ScoredToken> wanted) : order(wanted.size()) {
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return wanted[a].row < wanted[b].row; });
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (rows.empty() || rows.back() != wanted[order[i]].row) {
        rows.push_back(wanted[order[i]].row);
        row_begins.push_back(i);
      }
    }
    row_begins.push_back(order.size());
  }
};

}  // namespace fbt
