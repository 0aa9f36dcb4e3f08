#include "results/statistics/json.h"

namespace fbt::results {

using nlohmann::json;

json interval_json(const Interval& interval) {
  return {interval.low, interval.high};
}

json estimate_json(const Estimate& estimate) {
  return {{"value", estimate.value},
          {"interval", interval_json(estimate.interval)},
          {"standard_error", estimate.standard_error},
          {"method", estimate.method}};
}

json paired_json(const PairedComparison& comparison) {
  return {{"documents", comparison.documents},
          {"difference", comparison.difference},
          {"interval", interval_json(comparison.interval)},
          {"p", comparison.p},
          {"p_worse", comparison.p_worse},
          {"detectable", comparison.detectable},
          {"test", comparison.test}};
}

json ratio_json(const PairedRatio& ratio) {
  return {{"documents", ratio.documents},
          {"change", ratio.change},
          {"interval", interval_json(ratio.interval)},
          {"p", ratio.p}};
}

json optional_json(const std::optional<double>& value) {
  return value ? json(*value) : json(nullptr);
}

json optional_json(const std::optional<PairedRatio>& ratio) {
  return ratio ? ratio_json(*ratio) : json(nullptr);
}

}  // namespace fbt::results
