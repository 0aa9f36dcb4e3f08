#pragma once

// What compare found, as tables and as JSON.

#include <span>
#include <string>
#include <vector>

#include "results/compare/comparison.h"
#include "results/compare/efficiency.h"
#include "results/compare/lengths.h"
#include "results/compare/reference.h"
#include "results/table/table.h"

namespace fbt::results {

// The scores: per checkpoint a row of scores, one of intervals and one of
// differences. References with figures in these columns follow, below a rule.
Table comparison_table(const Comparison& comparison, std::span<const ReferenceRow> references);

// The same, a table for each task or group: for narrow places.
std::vector<Table> comparison_tables_by_task(const Comparison& comparison,
                                             std::span<const ReferenceRow> references);

// One row per checkpoint and column with every number in a cell of its own: for CSV.
Table comparison_long_table(const Comparison& comparison, std::span<const ReferenceRow> references);

Table efficiency_table(std::span<const DataEfficiency> efficiencies);
Table lengths_table(std::span<const TraceLengths> lengths);

// One JSON object, "schema": 1; docs/results.md lists the keys.
std::string comparison_json(const Comparison& comparison,
                            std::span<const DataEfficiency> efficiencies,
                            std::span<const TraceLengths> lengths,
                            std::span<const ReferenceRow> references);

}  // namespace fbt::results
