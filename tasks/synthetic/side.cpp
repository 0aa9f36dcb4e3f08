#include "tasks/synthetic/side.h"

#include "base/error.h"
#include "base/random.h"

namespace fbt::synthetic {

std::string_view side_name(Side side) {
  return side == Side::kTraining ? "training" : "held-out";
}

Side parse_side(std::string_view name) {
  for (const Side side : {Side::kTraining, Side::kHeldOut}) {
    if (name == side_name(side)) return side;
  }
  throw InputError(unknown_name_message("side", name, {"training", "held-out"}));
}

Side side_of(std::string_view content) {
  // Philox mixes what FNV leaves in the high bits.
  const std::uint64_t mixed = KeyedRandom(stable_hash(content)).bits(0);
  return mixed % 8 == 0 ? Side::kHeldOut : Side::kTraining;
}

}  // namespace fbt::synthetic
