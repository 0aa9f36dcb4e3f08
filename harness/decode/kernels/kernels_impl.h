// The loops behind kernels.h, compiled once per instruction set: the including
// file defines FBT_KERNELS_NAMESPACE. No library function with a shared inline
// body may be used here: the linker would keep one copy, perhaps one that the
// running CPU cannot execute.

#include "harness/decode/kernels/attention_impl.h"
#include "harness/decode/kernels/lanes.h"

namespace fbt::kernels::FBT_KERNELS_NAMESPACE {
namespace {

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
      S* keys = slot.keys + head * d * slot.capacity;
      for (Index i = 0; i < d; ++i) {
        store(keys[key_offset<S>(slot.slot, i, d)], rotated[i]);
      }
    }
    for (Index head = 0; head < args.shape.key_value_heads; ++head, row += d) {
      S* values = slot.values + head * slot.capacity * d;
      for (Index i = 0; i < d; ++i) {
        values[value_offset<S>(slot.slot, i, slot.capacity, d)] = row[i];
      }
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

// The first i with values[i] == value, which is there.
template <typename W>
Index first_equal(const W* values, Index width, W value) {
  Index i = 0;
  for (; i + kLanes <= width; i += kLanes) {
    int found = 0;
    for (Index j = 0; j < kLanes; ++j) found |= values[i + j] == value ? 1 : 0;
    if (found != 0) break;
  }
  while (values[i] != value && i + 1 < width) ++i;
  return i;
}

// The sum of get(i) for i in [begin, end).
template <typename Get>
double sum_in_lanes(Index begin, Index end, Get get) {
  double lanes[kLanes] = {};
  Index i = begin;
  for (; i + kLanes <= end; i += kLanes) {
    for (Index j = 0; j < kLanes; ++j) lanes[j] += get(i + j);
  }
  for (Index j = 0; i < end; ++i, ++j) lanes[j] += get(i);
  return add_lanes(lanes);
}

template <typename S>
LogitSummary summarise(const Wide<S>* logits, Index width) {
  const Wide<S> maximum = largest(logits, width);
  const double sum =
      sum_in_lanes(0, width, [&](Index i) { return exponential(logits[i] - maximum); });
  return {first_equal(logits, width, maximum), static_cast<double>(maximum),
          static_cast<double>(maximum) + log(sum)};
}

template <typename S>
Index sample(const Wide<S>* logits, Index width, double temperature, double maximum, double u,
             Wide<S>* scratch) {
  using W = Wide<S>;
  constexpr Index kBlock = 256;  // whose sum is taken at once
  const W inverse = static_cast<W>(1 / temperature);
  const W top = static_cast<W>(maximum);
  for (Index i = 0; i < width; ++i) scratch[i] = exponential((logits[i] - top) * inverse);
  const auto block_sum = [&](Index begin) {
    const Index end = begin + kBlock < width ? begin + kBlock : width;
    return sum_in_lanes(begin, end, [&](Index i) { return scratch[i]; });
  };
  double whole = 0;
  for (Index begin = 0; begin < width; begin += kBlock) whole += block_sum(begin);
  const double target = u * whole;
  double sum = 0;
  Index begin = 0;
  for (; begin + kBlock < width; begin += kBlock) {
    const double after = sum + block_sum(begin);
    if (after > target) break;
    sum = after;
  }
  for (Index i = begin; i < width; ++i) {
    sum += scratch[i];
    if (sum > target) return i;
  }
  // Rounding: u * whole reached the whole.
  Index last_possible = width - 1;
  while (last_possible > 0 && !(scratch[last_possible] > 0)) --last_possible;
  return last_possible;
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
