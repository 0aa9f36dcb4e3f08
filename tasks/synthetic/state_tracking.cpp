#include "tasks/synthetic/state_tracking.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

namespace fbt::synthetic {
namespace {

constexpr const char* kThings[] = {"lamp",  "stone", "bread", "cloud", "house",
                                   "table", "water", "paper", "train", "music"};

}  // namespace

std::string draw_counter(Draw& draw) {
  int count = draw.between(1, 30);
  std::string text = fmt::format("Counter: {}.", count);
  const int moves = draw.between(2, 6);
  for (int i = 0; i < moves; ++i) {
    const int by = draw.between(1, 15);
    const bool add = by > count || draw.chance(0.5);
    count += add ? by : -by;
    text += fmt::format(" {} {}.", add ? "Add" : "Take", by);
  }
  return text + fmt::format(" The counter is {}.", count);
}

std::string draw_registers(Draw& draw) {
  std::map<char, int> registers;
  std::string text = "Registers:";
  const int writes = draw.between(3, 9);
  for (int i = 0; i < writes; ++i) {
    const char name = static_cast<char>('a' + draw.between(0, 3));
    registers[name] = draw.between(1, 99);
    text += fmt::format("{} {} = {}", i ? "," : "", name, registers[name]);
  }
  text += ". Now";
  for (auto at = registers.begin(); at != registers.end(); ++at) {
    const char* joint = at == registers.begin()            ? ""
                        : std::next(at) == registers.end() ? " and"
                                                           : ",";
    text += fmt::format("{} {} is {}", joint, at->first, at->second);
  }
  return text + ".";
}

std::string draw_recall(Draw& draw) {
  std::vector<std::pair<const char*, int>> facts;
  for (const char* thing : kThings) facts.emplace_back(thing, draw.between(1, 99));
  draw.shuffle(facts);
  facts.resize(static_cast<std::size_t>(draw.between(2, 5)));
  std::string text = "Remember";
  for (std::size_t i = 0; i < facts.size(); ++i) {
    text += fmt::format("{} {} {}", i ? "," : "", facts[i].first, facts[i].second);
  }
  text += ". " + draw_counter(draw) + " Recall";  // something else in between
  draw.shuffle(facts);
  for (std::size_t i = 0; i < facts.size(); ++i) {
    text += fmt::format("{} {}: {}", i ? "," : "", facts[i].first, facts[i].second);
  }
  return text + ".";
}

std::string draw_state_tracking(Draw& draw) {
  switch (draw.between(0, 2)) {
    case 0:
      return draw_counter(draw);
    case 1:
      return draw_registers(draw);
    default:
      return draw_recall(draw);
  }
}

}  // namespace fbt::synthetic
