#pragma once

// Attention over the segmented cache, on any CPU; see kernels_impl.h, whose rules
// hold here too. A query's sums run over positions in their order, wherever the
// cache keeps them, so that its result does not depend on how a prefix was cut.

#include "harness/decode/kernels/attention_rows.h"
#include "harness/decode/kernels/lanes.h"

namespace fbt::kernels::FBT_KERNELS_NAMESPACE {
namespace {

// The part of a segment whose positions lie in [low, high].
struct VisibleSlots {
  Index first;
  Index last;  // below first: nothing
};

template <typename S>
VisibleSlots visible_slots(const Segment<S>& segment, Index low, Index high) {
  const Index first = segment.position < low ? low : segment.position;
  const Index segment_last = segment.position + segment.count - 1;
  const Index last = segment_last < high ? segment_last : high;
  const Index slot_of_zero = segment.first_slot - segment.position;
  return {first + slot_of_zero, last + slot_of_zero};
}

// Scores of R queries against the keys of a segment whose positions lie in
// [low, high]: scores[r][position - low].
template <typename S, int R>
void score_segment(const Wide<S>* const* queries, Index d, const Segment<S>& segment,
                   Index key_value_head, Index low, Index high, Wide<S>* scores,
                   Index score_stride) {
  using W = Wide<S>;
  constexpr Index kTile = 2 * kWidth<W>;
  const VisibleSlots visible = visible_slots(segment, low, high);
  if (visible.first > visible.last) return;
  const S* keys = segment.keys + key_value_head * d * segment.capacity;
  const Index slot_to_score = segment.position - segment.first_slot - low;
  for (Index tile = visible.first / kTile * kTile; tile <= visible.last; tile += kTile) {
    Vector<W> sums[R][2] = {};
    for (Index i = 0; i < d; i += kPair<S>) {
      const S* key = keys + key_offset<S>(tile, i, d);
      for (Index half = 0; half < 2; ++half) {
        Vector<W> entries[kPair<S>];
        load_entries(key + half * kWidth<W> * kPair<S>, entries);
        for (Index p = 0; p < kPair<S>; ++p) {
          for (int r = 0; r < R; ++r) sums[r][half] += queries[r][i + p] * entries[p];
        }
      }
    }
    const Index from = tile < visible.first ? visible.first - tile : 0;
    const Index to = tile + kTile > visible.last + 1 ? visible.last + 1 - tile : kTile;
    for (int r = 0; r < R; ++r) {
      W tile_scores[kTile];
      memcpy(tile_scores, sums[r], sizeof tile_scores);
      W* out = scores + r * score_stride + tile + slot_to_score;
      for (Index j = from; j < to; ++j) out[j] = tile_scores[j];
    }
  }
}

// sums[r] += weight * value over the segment's positions in [low, high], for two
// vectors of columns from `column` on.
template <typename S, int R>
void mix_columns(const Wide<S>* weights, Index weight_stride, Index d, const Segment<S>& segment,
                 Index key_value_head, Index low, Index high, Index column,
                 Vector<Wide<S>> (*sums)[2]) {
  using W = Wide<S>;
  const VisibleSlots visible = visible_slots(segment, low, high);
  if (visible.first > visible.last) return;
  const S* values = segment.values + key_value_head * segment.capacity * d +
                    value_offset<S>(0, column, segment.capacity, d);
  const Index width = panel_width(column, d);
  const W* weight_of_slot = weights + segment.position - segment.first_slot - low;
  for (Index slot = visible.first / kPair<S> * kPair<S>; slot <= visible.last; slot += kPair<S>) {
    const S* value = values + slot * width;
    Vector<W> entries[2][kPair<S>];
    load_entries(value, entries[0]);
    load_entries(value + kWidth<W> * kPair<S>, entries[1]);
    for (Index p = 0; p < kPair<S>; ++p) {
      if (slot + p < visible.first || slot + p > visible.last) continue;
      for (int r = 0; r < R; ++r) {
        const W weight = weight_of_slot[r * weight_stride + slot + p];
        for (Index half = 0; half < 2; ++half) sums[r][half] += weight * entries[half][p];
      }
    }
  }
}

// The same for one column.
template <typename S>
Wide<S> mix_column(const Wide<S>* weights, Index d, const Segment<S>& segment, Index key_value_head,
                   Index low, Index high, Index column, Wide<S> sum) {
  const VisibleSlots visible = visible_slots(segment, low, high);
  const S* values = segment.values + key_value_head * segment.capacity * d;
  const Wide<S>* weight_of_slot = weights + segment.position - segment.first_slot - low;
  for (Index slot = visible.first; slot <= visible.last; ++slot) {
    sum += weight_of_slot[slot] * load(values[value_offset<S>(slot, column, segment.capacity, d)]);
  }
  return sum;
}

// Turns scores into weights over [row.low, row.high], zero elsewhere; returns
// the factor that is still to be applied.
template <typename W>
W softmax_row(const AttentionRow& row, Index low, Index high, W* scores) {
  for (Index p = low; p < row.low; ++p) scores[p - low] = 0;
  for (Index p = row.high + 1; p <= high; ++p) scores[p - low] = 0;
  W* visible = scores + (row.low - low);
  const Index count = row.high - row.low + 1;
  const W maximum = largest(visible, count);
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
  constexpr Index kColumns = 2 * kWidth<W>;
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
  S* out[R];
  for (int r = 0; r < R; ++r) {
    const W gate = load(args.gate[rows[r].token * args.query_stride + rows[r].head]);
    factor[r] = softmax_row(rows[r], low, high, args.scratch + r * stride) * sigmoid(gate);
    out[r] = args.out + rows[r].token * args.out_stride + rows[r].head * d;
  }
  Index column = 0;
  for (; column + kColumns <= d; column += kColumns) {
    Vector<W> sums[R][2] = {};
    for (Index s = 0; s < args.segment_count; ++s) {
      mix_columns<S, R>(args.scratch, stride, d, args.segments[s], args.key_value_head, low, high,
                        column, sums);
    }
    for (int r = 0; r < R; ++r) {
      W mixed[kColumns];
      memcpy(mixed, sums[r], sizeof mixed);
      for (Index j = 0; j < kColumns; ++j) store(out[r][column + j], mixed[j] * factor[r]);
    }
  }
  for (; column < d; ++column) {
    for (int r = 0; r < R; ++r) {
      W sum = 0;
      for (Index s = 0; s < args.segment_count; ++s) {
        sum = mix_column<S>(args.scratch + r * stride, d, args.segments[s], args.key_value_head,
                            low, high, column, sum);
      }
      store(out[r][column], sum * factor[r]);
    }
  }
}

// Rows of a block: as many as keep their sums, two vectors each, in registers.
#if defined(__AVX512F__)
constexpr Index kRows = kAttentionRows;
#else
constexpr Index kRows = kAttentionRows / 2;
#endif

template <typename S>
void attention(const AttentionArgs<S>& args) {
  for_each_row_block<kRows>(args, [&](const AttentionRow* rows, Index count) {
    if (count == kRows) return attend_rows<S, kRows>(args, rows);
    if ((count & 4) != 0) {
      attend_rows<S, 4>(args, rows);
      rows += 4;
    }
    if ((count & 2) != 0) {
      attend_rows<S, 2>(args, rows);
      rows += 2;
    }
    if ((count & 1) != 0) attend_rows<S, 1>(args, rows);
  });
}

}  // namespace
}  // namespace fbt::kernels::FBT_KERNELS_NAMESPACE
