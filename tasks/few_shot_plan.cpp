#include "tasks/few_shot_plan.h"

#include <algorithm>
#include <numeric>

#include "tasks/python_random.h"

namespace fbt::tasks {
namespace {

constexpr std::uint64_t kLmEvalFewShotSeed = 1234;

}  // namespace

std::vector<std::vector<std::uint32_t>> plan_few_shot(const FewShotDefinition& definition,
                                                      int shots, std::span<const Example> documents,
                                                      std::span<const FewShotExample> pool) {
  std::vector<std::vector<std::uint32_t>> plan(documents.size());
  if (shots == 0) return plan;
  const auto wanted = static_cast<std::uint32_t>(shots);
  const auto extra = static_cast<std::uint32_t>(definition.extra);
  PythonRandom random(kLmEvalFewShotSeed);
  for (std::size_t i = 0; i < documents.size(); ++i) {
    std::vector<std::uint32_t>& chosen = plan[i];
    if (definition.sampler == Sampler::kFirst) {
      chosen.resize(wanted);
      std::iota(chosen.begin(), chosen.end(), 0U);
      continue;
    }
    chosen = random.sample(static_cast<std::uint32_t>(pool.size()), wanted + extra);
    if (extra > 0) {
      std::erase_if(chosen, [&](std::uint32_t example) {
        return pool[example].fingerprint == documents[i].fingerprint;
      });
    }
    chosen.resize(std::min<std::size_t>(chosen.size(), wanted));
  }
  return plan;
}

}  // namespace fbt::tasks
