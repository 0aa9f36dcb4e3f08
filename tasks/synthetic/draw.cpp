#include "tasks/synthetic/draw.h"

namespace fbt::synthetic {

int Draw::between(int low, int high) {
  return low + static_cast<int>(random_.uniform(step_++) * (high - low + 1));
}

bool Draw::chance(double probability) {
  return random_.uniform(step_++) < probability;
}

std::uint64_t Draw::key() {
  return random_.bits(step_++);
}

}  // namespace fbt::synthetic
