#pragma once

// The engine's own loops on the CPU: everything between two matrix products,
// fused so that each activation is read and written once, and attention over the
// segmented key/value cache. Compiled once per instruction set; table() picks at
// run time. Knows nothing of LibTorch.
//
// S is the scalar that weights, activations and cache are stored in (Bf16,
// float or double); Wide<S> the one that residuals and sums are kept in (float
// for Bf16). All functions work on rows [begin, end) so that callers can share
// rows out to threads; a row's result depends on nothing but that row.

#include <cstdint>

namespace fbt::kernels {

// The upper half of a float32; rounds to nearest even.
struct Bf16 {
  std::uint16_t bits;
};

template <typename S>
struct WideOf {
  using type = S;
};
template <>
struct WideOf<Bf16> {
  using type = float;
};
template <typename S>
using Wide = typename WideOf<S>::type;

using Index = std::int64_t;

// Keys and values of consecutive positions, for one layer. Both lie in panels of
// kPanel slots or columns, so that attention reads memory in one direction:
// scores vectorise over the slots of a panel, mixtures over its columns.
template <typename S>
struct Segment {
  const S* keys;    // [K, capacity / kPanel, d / kPair, kPanel, kPair]
  const S* values;  // [K, d / kPanel, capacity / kPair, kPanel, kPair]; the last panel is d %
                    // kPanel wide, if that is not 0
  Index capacity;   // a multiple of kPanel
  Index first_slot;
  Index count;
  Index position;  // of first_slot
};

inline constexpr Index kPanel = 32;
inline constexpr Index kSlotAlignment = kPanel;
inline constexpr Index kLargestHeadDim = 512;

// Scalars of the summed dimension that lie side by side in the cache: two of
// bfloat16's, as matrix units read them.
template <typename S>
inline constexpr Index kPair = sizeof(S) == 2 ? 2 : 1;

// Where element i of a slot's key lies within its head.
template <typename S>
constexpr Index key_offset(Index slot, Index i, Index head_dim) {
  return (slot / kPanel * head_dim + i / kPair<S> * kPair<S>)*kPanel + slot % kPanel * kPair<S> +
         i % kPair<S>;
}
// Columns of the panel of values that column i is in.
constexpr Index panel_width(Index i, Index head_dim) {
  const Index left = head_dim - i / kPanel * kPanel;
  return left < kPanel ? left : kPanel;
}
// Where element i of a slot's value lies within its head.
template <typename S>
constexpr Index value_offset(Index slot, Index i, Index capacity, Index head_dim) {
  return i / kPanel * kPanel * capacity +
         (slot / kPair<S> * panel_width(i, head_dim) + i % kPanel) * kPair<S> + slot % kPair<S>;
}

// Where a token's key and value go.
template <typename S>
struct Slot {
  S* keys;  // as Segment's
  S* values;
  Index capacity;
  Index slot;
};

struct Shape {
  Index heads;            // H
  Index key_value_heads;  // K
  Index head_dim;         // d
};

// One projection row is [H d queries | K d keys | K d values | H head gates].
template <typename S>
struct QkvArgs {
  S* rows;  // [T, stride]; queries are normed, rotated and scaled in place
  Index stride;
  Shape shape;
  const S* query_gain;     // [d]
  const S* key_gain;       // [d]
  const Wide<S>* cosine;   // [context, d/2]
  const Wide<S>* sine;     // [context, d/2]
  const Index* positions;  // [T]
  const Slot<S>* slots;    // [T]
  double eps;
};

// Attention of `count` consecutive queries of one sequence for one key/value
// head and its H/K query heads. Queries that share a call share its reads of
// keys and values, up to kAttentionRows query heads (kTileRows on a matrix unit) at a time.
template <typename S>
struct AttentionArgs {
  const S* query;      // first query's first head of the group; heads are d apart
  const S* gate;       // its head gate's logit; heads are 1 apart
  S* out;              // heads are d apart
  Index query_stride;  // between tokens, of query and gate
  Index out_stride;    // between tokens
  Index count;
  Index position;  // of the first query
  Index window;    // keys a query sees, itself included
  Shape shape;
  Index key_value_head;
  const Segment<S>* segments;
  Index segment_count;
  Wide<S>* scratch;  // attention_scratch() elements
};

inline constexpr Index kAttentionRows = 8;
inline constexpr Index kTileRows = 32;

// Elements of scratch for calls whose queries see up to `keys` keys in `segments`
// segments. On a matrix unit: scores, and weights of half their size, of whole
// panels and one to spare.
constexpr Index attention_scratch(Index keys, Index segments) {
  return kTileRows * (keys + kPanel * (2 * segments + 3)) * 3 / 2;
}

// Attention on the CPU's matrix unit, for head dimensions that are a multiple of
// kTileDepth; null where there is none. Weights are rounded to bfloat16 and sums
// run in an order that depends on where the cache keeps a position.
using TileAttention = void (*)(const AttentionArgs<Bf16>& args);
TileAttention tile_attention();
inline constexpr Index kTileDepth = 32;

struct LogitSummary {
  Index argmax;  // the first of the largest
  double maximum;
  double log_sum;  // log of the sum of exp(logit)
};

template <typename S>
struct Table {
  using W = Wide<S>;

  // out = x / rms(x) * gain. x [T,D], out [T,D].
  void (*norm)(const W* x, const S* gain, S* out, Index width, double eps, Index begin, Index end);

  // h += m * (y / rms(y) * gain_y); out = h / rms(h) * gain_h.
  void (*add_norm)(W* h, const S* y, const S* gain_y, const S* gain_h, S* out, Index width,
                   double multiplier, double eps, Index begin, Index end);

  void (*qkv)(const QkvArgs<S>& args, Index begin, Index end);

  // out[t,i] = silu(gate_up[t,i]) * gate_up[t,I+i]. gate_up [T,2I], out [T,I].
  void (*silu_mul)(const S* gate_up, S* out, Index width, Index begin, Index end);

  // h = plain ? e : RMSNorm(value * sigmoid(gate); gain). All [T,D]; plain [T].
  void (*fuse)(const S* value, const S* gate, const S* embedding, const std::uint8_t* plain,
               const S* gain, W* h, Index width, double eps, Index begin, Index end);

  // h = e, widened. [T,D]
  void (*widen)(const S* embedding, W* h, Index width, Index begin, Index end);

  // out = attention output times sigmoid(gate).
  void (*attention)(const AttentionArgs<S>& args);

  LogitSummary (*summarise)(const W* logits, Index width);

  // The first i with sum_{j<=i} exp((logit_j - maximum) / temperature) > u * the
  // whole sum: inverse-CDF sampling. scratch [width].
  Index (*sample)(const W* logits, Index width, double temperature, double maximum, double u,
                  W* scratch);
};

// The fastest table this CPU can run. S: Bf16, float, double.
template <typename S>
const Table<S>& table();

// "avx512", "avx2" or "generic".
const char* instruction_set();

}  // namespace fbt::kernels
