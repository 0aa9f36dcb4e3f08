// The attention kernels against the formula, over caches that are cut into
// segments in every way.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "harness/decode/kernels/kernels.h"

namespace fbt::kernels {
namespace {

double to_double(Bf16 x) {
  const std::uint32_t bits = static_cast<std::uint32_t>(x.bits) << 16;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
double to_double(double x) {
  return x;
}

void put(double value, double& out) {
  out = value;
}
void put(double value, Bf16& out) {
  const auto single = static_cast<float>(value);
  std::uint32_t bits;
  std::memcpy(&bits, &single, sizeof bits);
  out.bits = static_cast<std::uint16_t>(bits >> 16);
}

// One key/value head among two, its queries and its cache, at random.
template <typename S>
struct Case {
  std::mt19937 random;
  Index head_dim, group, positions, queries, window;
  std::vector<std::vector<double>> keys, values;  // [positions][d], as the cache rounds them
  std::vector<std::vector<S>> blocks;             // keys, then values
  std::vector<Segment<S>> segments;
  std::vector<S> rows;  // [queries, group * d + group]: queries and gates
  static constexpr Index kHeads = 2;
  static constexpr Index kHead = 1;

  explicit Case(unsigned seed, std::initializer_list<Index> head_dims) : random(seed) {
    head_dim = *(head_dims.begin() + pick(0, static_cast<Index>(head_dims.size()) - 1));
    group = pick(1, 5);
    positions = pick(1, 600);
    queries = std::min(positions, pick(1, 3) == 1 ? 1 : pick(1, 70));
    window = pick(0, 1) == 0 ? 10000 : pick(1, 300);
    for (Index begin = 0; begin < positions;) begin += add_segment(begin);
    rows.resize(static_cast<std::size_t>(queries * row_size()));
    for (S& element : rows) put(number(), element);
  }

  Index pick(Index low, Index high) {
    return std::uniform_int_distribution<Index>(low, high)(random);
  }
  double number() { return std::uniform_real_distribution<double>(-1, 1)(random); }
  Index row_size() const { return group * head_dim + group; }

  Index add_segment(Index begin) {
    const Index capacity = kPanel * pick(1, 8);
    const Index first_slot = pick(0, capacity - 1);
    const Index count = std::min(positions - begin, pick(1, capacity - first_slot));
    const auto size = static_cast<std::size_t>(kHeads * head_dim * capacity);
    std::vector<S> key_block(size), value_block(size);
    const Index head_begin = kHead * head_dim * capacity;
    for (Index slot = first_slot; slot < first_slot + count; ++slot) {
      std::vector<double>& key = keys.emplace_back();
      std::vector<double>& value = values.emplace_back();
      for (Index i = 0; i < head_dim; ++i) {
        S& k = key_block[static_cast<std::size_t>(head_begin + key_offset<S>(slot, i, head_dim))];
        S& v = value_block[static_cast<std::size_t>(head_begin +
                                                    value_offset<S>(slot, i, capacity, head_dim))];
        put(number(), k);
        put(number(), v);
        key.push_back(to_double(k));
        value.push_back(to_double(v));
      }
    }
    blocks.push_back(std::move(key_block));
    blocks.push_back(std::move(value_block));
    segments.push_back({blocks[blocks.size() - 2].data(), blocks.back().data(), capacity,
                        first_slot, count, begin});
    return count;
  }

  std::vector<S> run(void (*attention)(const AttentionArgs<S>&)) const {
    std::vector<S> out(static_cast<std::size_t>(queries * group * head_dim));
    std::vector<Wide<S>> scratch(static_cast<std::size_t>(
        attention_scratch(positions, static_cast<Index>(segments.size()))));
    AttentionArgs<S> args;
    args.query = rows.data();
    args.gate = rows.data() + group * head_dim;
    args.out = out.data();
    args.query_stride = row_size();
    args.out_stride = group * head_dim;
    args.count = queries;
    args.position = positions - queries;
    args.window = window;
    args.shape = {kHeads * group, kHeads, head_dim};
    args.key_value_head = kHead;
    args.segments = segments.data();
    args.segment_count = static_cast<Index>(segments.size());
    args.scratch = scratch.data();
    attention(args);
    return out;
  }

  // softmax(q k) v, times sigmoid(gate), for one query and head.
  std::vector<double> expected(Index query, Index head) const {
    const S* row = rows.data() + query * row_size();
    const Index last = positions - queries + query;
    std::vector<double> mixed(static_cast<std::size_t>(head_dim));
    double sum = 0;
    for (Index p = std::max<Index>(0, last - window + 1); p <= last; ++p) {
      double score = 0;
      for (Index i = 0; i < head_dim; ++i) {
        score += to_double(row[head * head_dim + i]) *
                 keys[static_cast<std::size_t>(p)][static_cast<std::size_t>(i)];
      }
      sum += std::exp(score);
      for (std::size_t i = 0; i < mixed.size(); ++i) {
        mixed[i] += std::exp(score) * values[static_cast<std::size_t>(p)][i];
      }
    }
    const double gate = 1 / (1 + std::exp(-to_double(row[group * head_dim + head])));
    for (double& element : mixed) element *= gate / sum;
    return mixed;
  }

  void check(void (*attention)(const AttentionArgs<S>&), double tolerance) const {
    const std::vector<S> out = run(attention);
    for (Index query = 0; query < queries; ++query) {
      for (Index head = 0; head < group; ++head) {
        const std::vector<double> mixed = expected(query, head);
        for (Index i = 0; i < head_dim; ++i) {
          ASSERT_NEAR(
              to_double(out[static_cast<std::size_t>((query * group + head) * head_dim + i)]),
              mixed[static_cast<std::size_t>(i)], tolerance)
              << "query " << query << " of " << queries << ", head " << head << ", element " << i
              << ", head_dim " << head_dim << ", window " << window;
        }
      }
    }
  }
};

TEST(Attention, OfEveryInstructionSetEqualsTheFormula) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    Case<double>(seed, {2, 8, 34, 96}).check(table<double>().attention, 1e-12);
    Case<Bf16>(seed, {2, 8, 34, 96}).check(table<Bf16>().attention, 0.005);
  }
}

// Weights are rounded to bfloat16 there, too.
TEST(Attention, OnTheMatrixUnitEqualsTheFormula) {
  const TileAttention tiles = tile_attention();
  if (tiles == nullptr) GTEST_SKIP() << "this CPU has no matrix unit";
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Case<Bf16>(seed, {32, 64, 96, 128}).check(tiles, 0.01);
  }
}

// Summaries and samples of rows of every length against sums one by one.
TEST(LogitKernels, SummariseAndSampleAsTheFormulasSay) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (const Index width : {1, 7, 16, 63, 64, 65, 256, 257, 1000, 5000}) {
    for (int round = 0; round < 20; ++round) {
      SCOPED_TRACE(width);
      std::vector<double> logits(static_cast<std::size_t>(width));
      for (double& logit : logits) logit = std::floor(uniform(random) * 40) / 4;  // ties
      const LogitSummary summary = table<double>().summarise(logits.data(), width);
      const auto largest = std::max_element(logits.begin(), logits.end());
      EXPECT_EQ(summary.argmax, largest - logits.begin());
      EXPECT_EQ(summary.maximum, *largest);
      double sum = 0;
      for (const double logit : logits) sum += std::exp(logit - *largest);
      EXPECT_NEAR(summary.log_sum, *largest + std::log(sum), 1e-10);

      const double temperature = 0.3 + uniform(random);
      const double u = round == 0 ? 0 : uniform(random);
      std::vector<double> scratch(logits.size());
      const Index token =
          table<double>().sample(logits.data(), width, temperature, *largest, u, scratch.data());
      ASSERT_GE(token, 0);
      ASSERT_LT(token, width);
      double whole = 0, before = 0, after = 0;
      for (Index i = 0; i < width; ++i) {
        const double weight =
            std::exp((logits[static_cast<std::size_t>(i)] - *largest) / temperature);
        whole += weight;
        if (i < token) before += weight;
        if (i <= token) after += weight;
      }
      EXPECT_LE(before, u * whole + 1e-9);
      EXPECT_GT(after, u * whole - 1e-9);
    }
  }
}

}  // namespace
}  // namespace fbt::kernels
