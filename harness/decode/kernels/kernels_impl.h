// The loops behind kernels.h, compiled once per instruction set: the including
// file defines FBT_KERNELS_NAMESPACE. No library function with a shared inline
// body may be used here: the linker would keep one copy, perhaps one that the
// running CPU cannot execute.

#include <math.h>
#include <string.h>

#include "harness/decode/kernels/kernels.h"

namespace fbt::kernels::FBT_KERNELS_NAMESPACE {
namespace {

inline float load(Bf16 x) {
  const std::uint32_t bits = static_cast<std::uint32_t>(x.bits) << 16;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
inline float load(float x) {
  return x;
}
inline double load(double x) {
  return x;
}

inline void store(Bf16& out, float value) {
  std::uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  bits += 0x7fffU + ((bits >> 16) & 1U);
  out.bits = static_cast<std::uint16_t>(bits >> 16);
}
inline void store(float& out, float value) {
  out = value;
}
inline void store(double& out, double value) {
  out = value;
}

// exp(x) as 2^n exp(r), |r| <= log(2)/2, with exp(r)'s series to r^7 (relative
// error below 1e-7): plain arithmetic, so that loops over it vectorise.
inline float exponential(float x) {
  constexpr float kLog2e = 1.44269504088896341f;
  constexpr float kLn2High = 0.693359375f;
  constexpr float kLn2Low = -2.12194440e-4f;
  constexpr float kRounder = 12582912.0f;  // 1.5 * 2^23: adding it rounds to a whole number
  x = x < -87.0f ? -87.0f : x;
  x = x > 88.0f ? 88.0f : x;
  const float n = (x * kLog2e + kRounder) - kRounder;
  const float r = (x - n * kLn2High) - n * kLn2Low;
  float p = 1.0f / 5040;
  p = p * r + 1.0f / 720;
  p = p * r + 1.0f / 120;
  p = p * r + 1.0f / 24;
  p = p * r + 1.0f / 6;
  p = p * r + 0.5f;
  p = p * r + 1.0f;
  p = p * r + 1.0f;
  const std::int32_t exponent = (static_cast<std::int32_t>(n) + 127) << 23;
  float power;
  memcpy(&power, &exponent, sizeof power);
  return p * power;
}
inline double exponential(double x) {
  return exp(x);
}

template <typename W>
inline W sigmoid(W x) {
  return W(1) / (W(1) + exponential(-x));
}

// Lanes that sums are kept in: a fixed order whatever the instruction set.
constexpr Index kLanes = 16;

template <typename W>
inline W add_lanes(const W* lanes) {
  W sums[kLanes];
  for (Index i = 0; i < kLanes; ++i) sums[i] = lanes[i];
  for (Index half = kLanes / 2; half > 0; half /= 2) {
    for (Index i = 0; i < half; ++i) sums[i] += sums[i + half];
  }
  return sums[0];
}

// 1 / sqrt(mean(get(i)^2) + eps)
template <typename W, typename Get>
inline W inverse_rms(Index width, double eps, Get get) {
  W lanes[kLanes] = {};
  Index i = 0;
  for (; i + kLanes <= width; i += kLanes) {
    for (Index j = 0; j < kLanes; ++j) {
      const W x = get(i + j);
      lanes[j] += x * x;
    }
  }
  for (Index j = 0; i < width; ++i, ++j) {
    const W x = get(i);
    lanes[j] += x * x;
  }
  return static_cast<W>(1 / sqrt(static_cast<double>(add_lanes(lanes)) / width + eps));
}

template <typename S>
void norm(const Wide<S>* x, const S* gain, S* out, Index width, double eps, Index begin,
          Index end) {
  using W = Wide<S>;
  for (Index t = begin; t < end; ++t) {
    const W* row = x + t * width;
    S* result = out + t * width;
    const W scale = inverse_rms<W>(width, eps, [&](Index i) { return row[i]; });
    for (Index i = 0; i < width; ++i) store(result[i], row[i] * scale * load(gain[i]));
  }
}

template <typename S>
void add_norm(Wide<S>* h, const S* y, const S* gain_y, const S* gain_h, S* out, Index width,
              double multiplier, double eps, Index begin, Index end) {
  using W = Wide<S>;
  for (Index t = begin; t < end; ++t) {
    const S* update = y + t * width;
    W* row = h + t * width;
    const W scale = static_cast<W>(multiplier) *
                    inverse_rms<W>(width, eps, [&](Index i) { return load(update[i]); });
    for (Index i = 0; i < width; ++i) row[i] += load(update[i]) * scale * load(gain_y[i]);
  }
  norm<S>(h, gain_h, out, width, eps, begin, end);
}

// Norms one head in place, rotates its halves and multiplies by `scale`.
template <typename S>
void rotate_head(const S* head, const S* gain, const Wide<S>* cosine, const Wide<S>* sine,
                 Index half, double eps, Wide<S> scale, Wide<S>* out) {
  using W = Wide<S>;
  const W rms = scale * inverse_rms<W>(2 * half, eps, [&](Index i) { return load(head[i]); });
  for (Index j = 0; j < half; ++j) {
    const W first = load(head[j]) * rms * load(gain[j]);
    const W second = load(head[j + half]) * rms * load(gain[j + half]);
    out[j] = first * cosine[j] - second * sine[j];
    out[j + half] = second * cosine[j] + first * sine[j];
  }
}

template <typename S>
void qkv(const QkvArgs<S>& args, Index begin, Index end) {
  using W = Wide<S>;
  const Index d = args.shape.head_dim;
  const Index half = d / 2;
  const W scale = static_cast<W>(1 / sqrt(static_cast<double>(d)));
  W rotated[kLargestHeadDim];
  for (Index t = begin; t < end; ++t) {
    S* row = args.rows + t * args.stride;
    const W* cosine = args.cosine + args.positions[t] * half;
    const W* sine = args.sine + args.positions[t] * half;
    for (Index head = 0; head < args.shape.heads; ++head, row += d) {
      rotate_head<S>(row, args.query_gain, cosine, sine, half, args.eps, scale, rotated);
      for (Index i = 0; i < d; ++i) store(row[i], rotated[i]);
    }
    const Slot<S>& slot = args.slots[t];
    for (Index head = 0; head < args.shape.key_value_heads; ++head, row += d) {
      rotate_head<S>(row, args.key_gain, cosine, sine, half, args.eps, W(1), rotated);
      S* keys = slot.keys + head * d * slot.capacity + slot.slot;
      for (Index i = 0; i < d; ++i) store(keys[i * slot.capacity], rotated[i]);
    }
    for (Index head = 0; head < args.shape.key_value_heads; ++head, row += d) {
      memcpy(slot.values + (head * slot.capacity + slot.slot) * d, row, sizeof(S) * d);
    }
  }
}

template <typename S>
void silu_mul(const S* gate_up, S* out, Index width, Index begin, Index end) {
  using W = Wide<S>;
  for (Index t = begin; t < end; ++t) {
    const S* gate = gate_up + t * 2 * width;
    const S* up = gate + width;
    S* result = out + t * width;
    for (Index i = 0; i < width; ++i) {
      const W x = load(gate[i]);
      store(result[i], x * sigmoid(x) * load(up[i]));
    }
  }
}

template <typename S>
void widen(const S* embedding, Wide<S>* h, Index width, Index begin, Index end) {
  for (Index i = begin * width; i < end * width; ++i) h[i] = load(embedding[i]);
}

template <typename S>
void fuse(const S* value, const S* gate, const S* embedding, const std::uint8_t* plain,
          const S* gain, Wide<S>* h, Index width, double eps, Index begin, Index end) {
  using W = Wide<S>;
  for (Index t = begin; t < end; ++t) {
    if (plain[t] != 0) {
      widen<S>(embedding, h, width, t, t + 1);
      continue;
    }
    W* row = h + t * width;
    for (Index i = 0; i < width; ++i) {
      row[i] = load(value[t * width + i]) * sigmoid(load(gate[t * width + i]));
    }
    const W scale = inverse_rms<W>(width, eps, [&](Index i) { return row[i]; });
    for (Index i = 0; i < width; ++i) row[i] *= scale * load(gain[i]);
  }
}

// Scores of R queries against the keys of a segment whose positions lie in
// [low, high]: scores[r][position - low].
template <typename S, int R>
void score_segment(const Wide<S>* const* queries, Index d, const Segment<S>& segment,
                   Index key_value_head, Index low, Index high, Wide<S>* scores,
                   Index score_stride) {
  using W = Wide<S>;
  constexpr Index kTile = kSlotAlignment;
  const Index first = segment.position < low ? low : segment.position;
  const Index segment_last = segment.position + segment.count - 1;
  const Index last = segment_last < high ? segment_last : high;
  if (first > last) return;
  const S* keys = segment.keys + key_value_head * d * segment.capacity;
  const Index first_slot = segment.first_slot + (first - segment.position);
  const Index last_slot = segment.first_slot + (last - segment.position);
  const Index slot_to_score = segment.position - segment.first_slot - low;
  for (Index tile = first_slot / kTile * kTile; tile <= last_slot; tile += kTile) {
    W sums[R][kTile] = {};
    for (Index i = 0; i < d; ++i) {
      const S* key = keys + i * segment.capacity + tile;
      for (int r = 0; r < R; ++r) {
        const W q = queries[r][i];
        for (Index j = 0; j < kTile; ++j) sums[r][j] += q * load(key[j]);
      }
    }
    const Index from = tile < first_slot ? first_slot - tile : 0;
    const Index to = tile + kTile > last_slot + 1 ? last_slot + 1 - tile : kTile;
    for (int r = 0; r < R; ++r) {
      W* out = scores + r * score_stride + tile + slot_to_score;
      for (Index j = from; j < to; ++j) out[j] = sums[r][j];
    }
  }
}

// out[r][i] += sum over the segment's positions in [low, high] of weight * value,
// in the order of positions, for the columns [column, column + kColumns).
template <typename S, int R, Index kColumns>
void mix_columns(const Wide<S>* weights, Index weight_stride, Index d, const Segment<S>& segment,
                 Index key_value_head, Index low, Index high, Index column, Index columns,
                 Wide<S> (*sums)[kColumns]) {
  using W = Wide<S>;
  const Index first = segment.position < low ? low : segment.position;
  const Index segment_last = segment.position + segment.count - 1;
  const Index last = segment_last < high ? segment_last : high;
  const S* values =
      segment.values +
      (key_value_head * segment.capacity + segment.first_slot - segment.position) * d + column;
  for (Index position = first; position <= last; ++position) {
    const S* value = values + position * d;
    for (int r = 0; r < R; ++r) {
      const W weight = weights[r * weight_stride + position - low];
      if (columns == kColumns) {
        for (Index j = 0; j < kColumns; ++j) sums[r][j] += weight * load(value[j]);
      } else {
        for (Index j = 0; j < columns; ++j) sums[r][j] += weight * load(value[j]);
      }
    }
  }
}

struct AttentionRow {
  Index token;  // among the call's queries
  Index head;   // among the group's
  Index low;    // first visible position
  Index high;   // last visible position: the query's own
};

// Turns scores into weights over [row.low, row.high], zero elsewhere; returns
// the factor that is still to be applied.
template <typename W>
W softmax_row(const AttentionRow& row, Index low, Index high, W* scores) {
  for (Index p = low; p < row.low; ++p) scores[p - low] = 0;
  for (Index p = row.high + 1; p <= high; ++p) scores[p - low] = 0;
  W* visible = scores + (row.low - low);
  const Index count = row.high - row.low + 1;
  W maximum = visible[0];
  for (Index i = 1; i < count; ++i) maximum = visible[i] > maximum ? visible[i] : maximum;
  W lanes[kLanes] = {};
  Index i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (Index j = 0; j < kLanes; ++j) {
      visible[i + j] = exponential(visible[i + j] - maximum);
      lanes[j] += visible[i + j];
    }
  }
  for (Index j = 0; i < count; ++i, ++j) {
    visible[i] = exponential(visible[i] - maximum);
    lanes[j] += visible[i];
  }
  return W(1) / add_lanes(lanes);
}

template <typename S, int R>
void attend_rows(const AttentionArgs<S>& args, const AttentionRow* rows) {
  using W = Wide<S>;
  constexpr Index kColumns = 32;
  const Index d = args.shape.head_dim;
  Index low = rows[0].low;
  Index high = rows[0].high;
  for (int r = 1; r < R; ++r) {
    low = rows[r].low < low ? rows[r].low : low;
    high = rows[r].high > high ? rows[r].high : high;
  }
  W wide_queries[R][kLargestHeadDim];
  const W* queries[R];
  for (int r = 0; r < R; ++r) {
    const S* query = args.query + rows[r].token * args.query_stride + rows[r].head * d;
    for (Index i = 0; i < d; ++i) wide_queries[r][i] = load(query[i]);
    queries[r] = wide_queries[r];
  }
  const Index stride = high - low + 1 + kSlotAlignment;
  for (Index s = 0; s < args.segment_count; ++s) {
    score_segment<S, R>(queries, d, args.segments[s], args.key_value_head, low, high, args.scratch,
                        stride);
  }
  W factor[R];
  for (int r = 0; r < R; ++r) {
    const W gate = load(args.gate[rows[r].token * args.query_stride + rows[r].head]);
    factor[r] = softmax_row(rows[r], low, high, args.scratch + r * stride) * sigmoid(gate);
  }
  for (Index column = 0; column < d; column += kColumns) {
    const Index columns = d - column < kColumns ? d - column : kColumns;
    W sums[R][kColumns] = {};
    for (Index s = 0; s < args.segment_count; ++s) {
      mix_columns<S, R, kColumns>(args.scratch, stride, d, args.segments[s], args.key_value_head,
                                  low, high, column, columns, sums);
    }
    for (int r = 0; r < R; ++r) {
      S* out = args.out + rows[r].token * args.out_stride + rows[r].head * d + column;
      for (Index j = 0; j < columns; ++j) store(out[j], sums[r][j] * factor[r]);
    }
  }
}

template <typename S>
void attention(const AttentionArgs<S>& args) {
  const Index group = args.shape.heads / args.shape.key_value_heads;
  const Index total = args.count * group;
  AttentionRow rows[kAttentionRows];
  for (Index done = 0; done < total;) {
    Index filled = 0;
    for (; filled < kAttentionRows && done + filled < total; ++filled) {
      const Index token = (done + filled) / group;
      const Index position = args.position + token;
      const Index low = position < args.window ? 0 : position - args.window + 1;
      rows[filled] = {token, (done + filled) % group, low, position};
    }
    done += filled;
    const AttentionRow* next = rows;
    if (filled == 8) {
      attend_rows<S, 8>(args, next);
      continue;
    }
    if ((filled & 4) != 0) {
      attend_rows<S, 4>(args, next);
      next += 4;
    }
    if ((filled & 2) != 0) {
      attend_rows<S, 2>(args, next);
      next += 2;
    }
    if ((filled & 1) != 0) attend_rows<S, 1>(args, next);
  }
}

template <typename S>
LogitSummary summarise(const Wide<S>* logits, Index width) {
  using W = Wide<S>;
  W maximum = logits[0];
  for (Index i = 1; i < width; ++i) maximum = logits[i] > maximum ? logits[i] : maximum;
  Index argmax = 0;
  while (logits[argmax] != maximum && argmax + 1 < width) ++argmax;
  double lanes[kLanes] = {};
  Index i = 0;
  for (; i + kLanes <= width; i += kLanes) {
    for (Index j = 0; j < kLanes; ++j) lanes[j] += exponential(logits[i + j] - maximum);
  }
  for (Index j = 0; i < width; ++i, ++j) lanes[j] += exponential(logits[i] - maximum);
  return {argmax, static_cast<double>(maximum),
          static_cast<double>(maximum) + log(add_lanes(lanes))};
}

template <typename S>
Index sample(const Wide<S>* logits, Index width, double temperature, double maximum, double u,
             Wide<S>* scratch) {
  using W = Wide<S>;
  const W inverse = static_cast<W>(1 / temperature);
  const W top = static_cast<W>(maximum);
  for (Index i = 0; i < width; ++i) scratch[i] = exponential((logits[i] - top) * inverse);
  double whole = 0;
  for (Index i = 0; i < width; ++i) whole += scratch[i];
  const double target = u * whole;
  double sum = 0;
  Index last_possible = 0;
  for (Index i = 0; i < width; ++i) {
    if (scratch[i] > 0) last_possible = i;
    sum += scratch[i];
    if (sum > target) return i;
  }
  return last_possible;  // rounding: u * whole reached the whole
}

template <typename S>
constexpr Table<S> make_table() {
  return {norm<S>,  add_norm<S>,  qkv<S>,       silu_mul<S>, fuse<S>,
          widen<S>, attention<S>, summarise<S>, sample<S>};
}

}  // namespace

extern const Table<Bf16> bf16_table = make_table<Bf16>();
extern const Table<float> float_table = make_table<float>();
extern const Table<double> double_table = make_table<double>();

}  // namespace fbt::kernels::FBT_KERNELS_NAMESPACE
