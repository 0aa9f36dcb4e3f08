#include "tasks/probing/registers.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "tasks/probing/options.h"
#include "tasks/probing/padding.h"

namespace fbt::tasks::probing {
namespace {

constexpr int kPairsPerGroup = 8;
constexpr int kOverwriteRegisters = 8;
constexpr int kPublishedTokens = 180;

// Six tokens a write are published's increment: 180, 276 and 468 tokens for 16,
// 32 and 64 writes.
constexpr int kTokensPerWrite = 6;

int published_tokens(int writes) {
  return kPublishedTokens + kTokensPerWrite * std::max(0, writes - 16);
}

struct Write {
  int target;
  int value;
};

struct Layout {
  std::string name;
  int registers;
  int writes_each;
  int published_groups;
};

std::string text(const std::vector<Write>& writes, int queried) {
  const auto name = [](int target) { return static_cast<char>('a' + target); };
  std::string text = "Registers:";
  for (const Write& write : writes) {
    text += fmt::format(" {} = {},", name(write.target), write.value);
  }
  return text + fmt::format(" read {} now:", name(queried));
}

// The place of the last write to `target`.
std::size_t last_write(const std::vector<Write>& writes, int target) {
  std::size_t place = writes.size();
  while (writes[--place].target != target) {
  }
  return place;
}

std::vector<Write> random_writes(const Layout& layout, int values, synthetic::Draw& draw) {
  std::vector<Write> writes;
  for (int target = 0; target < layout.registers; ++target) {
    for (int i = 0; i < layout.writes_each; ++i) {
      writes.push_back({target, draw.between(0, values - 1)});
    }
  }
  draw.shuffle(writes);
  return writes;
}

void add_group(ProbeDataset& data, const Layout& layout, int values, int group,
               synthetic::Draw& draw) {
  std::vector<int> names(static_cast<std::size_t>(layout.registers));
  for (int i = 0; i < layout.registers; ++i) names[static_cast<std::size_t>(i)] = i;
  draw.shuffle(names);
  // The order of targets is the group's; the values are each pair's own.
  std::vector<Write> writes = random_writes(layout, values, draw);
  for (int i = 0; i < kPairsPerGroup; ++i) {
    for (Write& write : writes) write.value = draw.between(0, values - 1);
    const int queried = names[static_cast<std::size_t>(i % layout.registers)];
    const std::size_t place = last_write(writes, queried);
    const int first = draw.between(0, values - 1);
    const int second = (first + draw.between(1, values - 1)) % values;
    for (const int value : {first, second}) {
      writes[place].value = value;
      data.samples.push_back({text(writes, queried), value, group, group * kPairsPerGroup + i, 0});
    }
  }
}

ProbeDataset generate(const Layout& layout, const TokenCounter& count_tokens,
                      const RegisterOptions& options) {
  if (options.values < 2 || options.values > 10) {
    throw InputError(fmt::format("probe task '{}': {} register values; give 2 to 10", layout.name,
                                 options.values));
  }
  ProbeDataset data;
  data.name = layout.name;
  data.classes = options.values;
  data.groups = group_count(options.groups, layout.published_groups, layout.name);
  for (int group = 0; group < data.groups; ++group) {
    synthetic::Draw draw = group_draw(options.seed, layout.name, group);
    add_group(data, layout, options.values, group, draw);
  }

  auto tokens = static_cast<std::size_t>(published_tokens(layout.registers * layout.writes_each));
  for (const ProbeSample& sample : data.samples) {
    tokens = std::max(tokens, count_tokens(sample.text));
  }
  for (ProbeSample& sample : data.samples) {
    sample.text = pad_front(sample.text, tokens, count_tokens, layout.name);
  }
  data.padded_tokens = static_cast<int>(tokens);
  return data;
}

template <std::size_t N>
void check_published(int asked, const std::array<int, N>& published, std::string_view what) {
  if (std::find(published.begin(), published.end(), asked) != published.end()) return;
  throw InputError(fmt::format("{} {}; known: {}", asked, what, fmt::join(published, ", ")));
}

}  // namespace

ProbeDataset registers(int m, const TokenCounter& count_tokens, const RegisterOptions& options) {
  check_published(m, kRegisterCounts, "registers");
  return generate({fmt::format("registers-{}", m), m, 1, kRegisterGroups}, count_tokens, options);
}

ProbeDataset overwrites(int w, const TokenCounter& count_tokens, const RegisterOptions& options) {
  check_published(w, kOverwriteCounts, "overwrites");
  return generate({fmt::format("overwrites-{}", w), kOverwriteRegisters, w, kOverwriteGroups},
                  count_tokens, options);
}

}  // namespace fbt::tasks::probing
