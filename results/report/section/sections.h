#pragma once

// The report's sections, one function and file each. A section without anything
// to show is empty (std::nullopt).

#include <functional>
#include <optional>
#include <string>

#include "results/report/collect/report_data.h"
#include "results/report/document.h"

namespace fbt::results {

// What was evaluated, and what to beware of.
std::optional<Section> overview_section(const ReportData& data);
// A table per task: checkpoints by modes, and one of all figures of every run.
std::optional<Section> scores_section(const ReportData& data);
// Scores against training tokens by family and mode, with data-efficiency arrows.
std::optional<Section> scaling_section(const ReportData& data);
// Every mode against the same checkpoint's standard mode, and what the tests can see.
std::optional<Section> paired_tests_section(const ReportData& data);
// Distributions of trace length by mode.
std::optional<Section> lengths_section(const ReportData& data);
// Scores at every temperature of a grid.
std::optional<Section> temperatures_section(const ReportData& data);
// Loss and movement of the states by feedback step.
std::optional<Section> stability_section(
    const ReportData& data, const std::function<std::string(const StabilityCurve&)>& judge);
// Scores and loss against the feedback steps of the prefill.
std::optional<Section> sweep_section(const ReportData& data);
// What a linear probe reads, by layer and condition.
std::optional<Section> probe_section(const ReportData& data);
// The settings behind every run.
std::optional<Section> settings_section(const ReportData& data);

}  // namespace fbt::results
