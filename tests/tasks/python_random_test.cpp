#include "tasks/python_random.h"

#include <set>

#include <gmock/gmock.h>

namespace fbt::tasks {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

// Numbers that CPython's random.Random gave.

TEST(PythonRandom, DrawsCPythonsBits) {
  const auto first_three = [](std::uint64_t seed) {
    PythonRandom random(seed);
    return std::vector<std::uint32_t>{random.next(), random.next(), random.next()};
  };
  EXPECT_THAT(first_three(1234), ElementsAre(4150886329U, 3342196574U, 1892932127U));
  EXPECT_THAT(first_three(0), ElementsAre(3626764237U, 1654615998U, 3255389356U));
  EXPECT_THAT(first_three((1ULL << 40) + 7), ElementsAre(2635837658U, 3209733218U, 3500038837U));
}

TEST(PythonRandom, RefillsItsState) {
  PythonRandom random(42);
  for (int i = 0; i < 1999; ++i) random.next();
  EXPECT_EQ(random.next(), 1557724698U);
}

struct SampleCase {
  std::uint32_t population;
  std::uint32_t count;
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> second;  // drawn after the first
};

TEST(PythonRandom, SamplesAsCPython) {
  // Around the limits between CPython's two algorithms (21 items for up to five
  // draws, 21 + 64 for six to twenty-one).
  const SampleCase cases[] = {
      {10, 10, {7, 1, 0, 9, 4, 6, 5, 3, 8, 2}, {0, 9, 8, 2, 5, 4, 3, 6, 1, 7}},
      {21, 5, {14, 3, 0, 2, 1}, {2, 3, 11, 7, 0}},
      {22, 5, {14, 3, 0, 2, 18}, {1, 21, 2, 3, 11}},
      {7473, 5, {6374, 3610, 957, 61, 742}, {7462, 6610, 4769, 286, 5501}},
      {85, 6, {56, 14, 0, 11, 74, 4}, {10, 12, 45, 30, 2, 3}},
      {86, 6, {56, 14, 0, 11, 74, 4}, {85, 10, 12, 45, 30, 2}},
      {84, 8, {56, 14, 0, 11, 74, 4, 10, 12}, {45, 30, 2, 3, 81, 44, 61, 59}},
      {40398, 6, {28883, 7657, 490, 5940, 38156, 2288}, {5500, 6450, 23241, 15519, 1142, 2019}},
      {5, 0, {}, {}},
      {1, 1, {0}, {0}},
  };
  for (const SampleCase& c : cases) {
    PythonRandom random(1234);
    EXPECT_THAT(random.sample(c.population, c.count), ElementsAreArray(c.first))
        << c.count << " of " << c.population;
    EXPECT_THAT(random.sample(c.population, c.count), ElementsAreArray(c.second))
        << c.count << " of " << c.population;
  }
}

TEST(PythonRandom, SamplesAreDistinctAndInRange) {
  PythonRandom random(7);
  for (std::uint32_t population = 1; population < 120; population += 7) {
    for (std::uint32_t count = 0; count <= population; ++count) {
      const std::vector<std::uint32_t> drawn = random.sample(population, count);
      EXPECT_EQ(drawn.size(), count);
      EXPECT_EQ(std::set<std::uint32_t>(drawn.begin(), drawn.end()).size(), count);
      for (const std::uint32_t item : drawn) EXPECT_LT(item, population);
    }
  }
}

}  // namespace
}  // namespace fbt::tasks
