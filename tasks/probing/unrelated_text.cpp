#include "tasks/probing/unrelated_text.h"

#include <array>
#include <string_view>

#include <fmt/format.h>

namespace fbt::tasks::probing {
namespace {

constexpr std::array<std::string_view, 12> kWho = {"miller",  "sailor", "teacher", "gardener",
                                                   "painter", "baker",  "farmer",  "doctor",
                                                   "singer",  "writer", "driver",  "tailor"};
constexpr std::array<std::string_view, 12> kDoes = {
    "counts apples",  "reads a letter", "mends a net",   "drinks tea",
    "draws a map",    "feeds the hens", "folds a cloth", "sells bread",
    "cleans a brush", "sings a song",   "waters roses",  "cuts some wood"};
constexpr std::array<std::string_view, 12> kWhere = {
    "by the bridge",   "in the yard",    "near the mill", "at the market",
    "on the hill",     "in the kitchen", "by the river",  "behind the barn",
    "at the crossing", "in the garden",  "on the stairs", "near the church"};

}  // namespace

std::string unrelated_sentence(synthetic::Draw& draw) {
  const auto pick = [&](std::span<const std::string_view> words) { return draw.pick(words); };
  const std::string_view who = pick(kWho);
  const std::string_view does = pick(kDoes);
  return fmt::format(" The {} {} {}.", who, does, pick(kWhere));
}

}  // namespace fbt::tasks::probing
