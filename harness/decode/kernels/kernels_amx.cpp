// Attention with Intel's AMX: bfloat16 products of 16 x 32 by 32 x 16. The rules
// of kernels_impl.h hold here too: no library function with a shared inline body.

#include <immintrin.h>
#include <string.h>

#include "harness/decode/kernels/kernels.h"

namespace fbt::kernels::amx {
namespace {

constexpr Index kSide = 16;            // columns of a tile of sums
constexpr Index kColumns = 2 * kSide;  // computed side by side
static_assert(kColumns == kSlotAlignment && kTileDepth == kSlotAlignment);

// Tiles 0 and 1 hold sums [rows, 16] side by side, 2 the left factor [rows, 32],
// 3 and 4 the right ones [32, 16], each a row of pairs.
void configure(Index rows) {
  struct alignas(64) Configuration {
    std::uint8_t palette;
    std::uint8_t start_row;
    std::uint8_t reserved[14];
    std::uint16_t row_bytes[16];
    std::uint8_t rows[16];
  } configuration;
  memset(&configuration, 0, sizeof configuration);
  configuration.palette = 1;
  for (int tile = 0; tile < 5; ++tile) {
    configuration.row_bytes[tile] = 64;
    configuration.rows[tile] = static_cast<std::uint8_t>(tile < 3 ? rows : kSide);
  }
  _tile_loadconfig(&configuration);
}

// sums += left [rows, 32 steps] x right [32 steps, 32]. Strides in bytes, of
// rows and of rows of pairs.
inline void multiply(const Bf16* left, Index left_stride, const Bf16* right, Index right_stride,
                     Index steps) {
  const char* right_bytes = reinterpret_cast<const char*>(right);
  for (Index step = 0; step < steps; ++step) {
    _tile_loadd(2, left + step * kTileDepth, left_stride);
    _tile_loadd(3, right_bytes, right_stride);
    _tile_dpbf16ps(0, 2, 3);
    _tile_loadd(4, right_bytes + 64, right_stride);
    _tile_dpbf16ps(1, 2, 4);
    right_bytes += kTileDepth / 2 * right_stride;
  }
}

inline void store_sums(float* to, Index stride) {
  _tile_stored(0, to, stride * static_cast<Index>(sizeof(float)));
  _tile_stored(1, to + kSide, stride * static_cast<Index>(sizeof(float)));
}

// exp(x): 2^n times the series of exp(r) to r^4, |r| <= log(2) / 2. Its error of
// 5e-5 is far below bfloat16's rounding of 4e-3.
inline __m512 exponential(__m512 x) {
  x = _mm512_max_ps(x, _mm512_set1_ps(-87.0f));
  const __m512 n = _mm512_roundscale_ps(x * 1.44269504088896341f, 8);
  const __m512 r = x - n * 0.693147180559945309f;
  __m512 p = _mm512_set1_ps(1.0f / 24);
  p = p * r + 1.0f / 6;
  p = p * r + 0.5f;
  p = p * r + 1.0f;
  p = p * r + 1.0f;
  return _mm512_scalef_ps(p, n);
}

struct Row {
  Index token;  // among the call's queries
  Index head;   // among the group's
  Index low;    // first visible position
  Index high;   // last visible position: the query's own
};

// A segment's tiles that some query of a block sees.
struct Tiles {
  Index first_slot;  // a multiple of kColumns
  Index count;       // 0: none
  Index position;    // of first_slot, if the segment went back so far
};

Tiles visible_tiles(const Segment<Bf16>& segment, Index low, Index high) {
  const Index first = segment.position < low ? low : segment.position;
  const Index segment_last = segment.position + segment.count - 1;
  const Index last = segment_last < high ? segment_last : high;
  if (first > last) return {0, 0, 0};
  const Index slot_of_zero = segment.first_slot - segment.position;
  const Index first_slot = (first + slot_of_zero) / kColumns * kColumns;
  return {first_slot, (last + slot_of_zero) / kColumns - first_slot / kColumns + 1,
          first_slot - slot_of_zero};
}

// Up to kTileRows query heads that share their reads of keys and values.
class Block {
 public:
  Block(const AttentionArgs<Bf16>& args, const Row* rows, Index count)
      : args_(args), rows_(rows), count_(count), low_(rows[0].low), high_(rows[0].high) {
    for (Index r = 1; r < count; ++r) {
      low_ = rows[r].low < low_ ? rows[r].low : low_;
      high_ = rows[r].high > high_ ? rows[r].high : high_;
    }
    stride_ = 0;
    for (Index s = 0; s < args.segment_count; ++s) {
      stride_ += visible_tiles(args.segments[s], low_, high_).count * kColumns;
    }
    scores_ = args.scratch;
    weights_ = reinterpret_cast<Bf16*>(scores_ + count * stride_);
  }

  void attend() {
    configure(count_);
    score();
    float factors[kTileRows];
    for (Index r = 0; r < count_; ++r) factors[r] = weigh(r) * gate(rows_[r]);
    mix(factors);
    _tile_release();
  }

 private:
  // visit(segment, tiles, column of the first slot) for each visible segment.
  template <typename Visit>
  void for_each_segment(const Visit& visit) const {
    Index column = 0;
    for (Index s = 0; s < args_.segment_count; ++s) {
      const Tiles tiles = visible_tiles(args_.segments[s], low_, high_);
      if (tiles.count == 0) continue;
      visit(args_.segments[s], tiles, column);
      column += tiles.count * kColumns;
    }
  }

  void score() {
    const Index d = args_.shape.head_dim;
    alignas(64) Bf16 queries[kTileRows * kLargestHeadDim];
    for (Index r = 0; r < count_; ++r) {
      memcpy(queries + r * d, args_.query + rows_[r].token * args_.query_stride + rows_[r].head * d,
             sizeof(Bf16) * static_cast<std::size_t>(d));
    }
    for_each_segment([&](const Segment<Bf16>& segment, const Tiles& tiles, Index column) {
      const Bf16* keys = segment.keys + args_.key_value_head * d * segment.capacity;
      for (Index tile = 0; tile < tiles.count; ++tile) {
        _tile_zero(0);
        _tile_zero(1);
        multiply(queries, d * 2, keys + (tiles.first_slot + tile * kColumns) * 2,
                 segment.capacity * 4, d / kTileDepth);
        store_sums(scores_ + column + tile * kColumns, stride_);
      }
    });
  }

  // The columns [from, to) of a segment's that a row sees; to <= from: none.
  struct Visible {
    Index from;
    Index to;
  };
  static Visible visible_columns(const Row& row, const Segment<Bf16>& segment, const Tiles& tiles) {
    const Index first = segment.position < row.low ? row.low : segment.position;
    const Index segment_last = segment.position + segment.count - 1;
    const Index last = segment_last < row.high ? segment_last : row.high;
    return {first - tiles.position, last - tiles.position + 1};
  }

  // visit(i, mask) for each vector of scores [i, i + 16) with a visible column.
  template <typename Visit>
  static void for_each_vector(const Visible& visible, const Visit& visit) {
    for (Index i = visible.from / kSide * kSide; i < visible.to; i += kSide) {
      std::uint32_t mask = 0xffffU;
      if (i < visible.from) mask &= 0xffffU << (visible.from - i);
      if (i + kSide > visible.to) mask &= 0xffffU >> (i + kSide - visible.to);
      visit(i, static_cast<__mmask16>(mask));
    }
  }

  // Turns a row's scores into weights, zero where nothing is visible; returns the
  // factor that is still to be applied.
  float weigh(Index r) {
    const Row& row = rows_[r];
    __m512 maxima = _mm512_set1_ps(-3.0e38f);
    for_each_segment([&](const Segment<Bf16>& segment, const Tiles& tiles, Index column) {
      const float* scores = scores_ + r * stride_ + column;
      for_each_vector(visible_columns(row, segment, tiles), [&](Index i, __mmask16 mask) {
        maxima = _mm512_mask_max_ps(maxima, mask, maxima, _mm512_loadu_ps(scores + i));
      });
    });
    const __m512 maximum = _mm512_set1_ps(_mm512_reduce_max_ps(maxima));
    __m512 sums = _mm512_setzero_ps();
    for_each_segment([&](const Segment<Bf16>& segment, const Tiles& tiles, Index column) {
      const float* scores = scores_ + r * stride_ + column;
      Bf16* weights = weights_ + r * stride_ + column;
      const Visible visible = visible_columns(row, segment, tiles);
      const bool any = visible.to > visible.from;
      const Index written_from = any ? visible.from / kSide * kSide : 0;
      const Index written_to = any ? (visible.to + kSide - 1) / kSide * kSide : 0;
      clear(weights, 0, written_from);
      for_each_vector(visible, [&](Index i, __mmask16 mask) {
        const __m512 weight =
            _mm512_maskz_mov_ps(mask, exponential(_mm512_loadu_ps(scores + i) - maximum));
        sums += weight;
        const __m256bh rounded = _mm512_cvtneps_pbh(weight);
        memcpy(weights + i, &rounded, sizeof rounded);
      });
      clear(weights, written_to, tiles.count * kColumns);
    });
    return 1 / _mm512_reduce_add_ps(sums);
  }

  static void clear(Bf16* weights, Index from, Index to) {
    if (to > from) memset(weights + from, 0, sizeof(Bf16) * static_cast<std::size_t>(to - from));
  }

  float gate(const Row& row) const {
    const std::uint32_t bits =
        static_cast<std::uint32_t>(args_.gate[row.token * args_.query_stride + row.head].bits)
        << 16;
    float logit;
    memcpy(&logit, &bits, sizeof logit);
    const __m512 denominator = 1.0f + exponential(_mm512_set1_ps(-logit));
    return 1 / _mm512_cvtss_f32(denominator);
  }

  void mix(const float* factors) {
    const Index d = args_.shape.head_dim;
    alignas(64) float mixed[kTileRows * kColumns];
    for (Index first = 0; first < d; first += kColumns) {
      _tile_zero(0);
      _tile_zero(1);
      for_each_segment([&](const Segment<Bf16>& segment, const Tiles& tiles, Index column) {
        const Bf16* values = segment.values + args_.key_value_head * segment.capacity * d;
        multiply(weights_ + column, stride_ * 2, values + tiles.first_slot * d + first * 2, d * 4,
                 tiles.count);
      });
      store_sums(mixed, kColumns);
      for (Index r = 0; r < count_; ++r) {
        Bf16* out = args_.out + rows_[r].token * args_.out_stride + rows_[r].head * d + first;
        for (Index half = 0; half < kColumns; half += kSide) {
          const __m256bh rounded =
              _mm512_cvtneps_pbh(_mm512_load_ps(mixed + r * kColumns + half) * factors[r]);
          memcpy(out + half, &rounded, sizeof rounded);
        }
      }
    }
  }

  const AttentionArgs<Bf16>& args_;
  const Row* rows_;
  Index count_;
  Index low_;
  Index high_;
  Index stride_;   // columns of scores and weights
  float* scores_;  // [count, stride]
  Bf16* weights_;  // [count, stride]
};

}  // namespace

extern void attention(const AttentionArgs<Bf16>& args);
void attention(const AttentionArgs<Bf16>& args) {
  const Index group = args.shape.heads / args.shape.key_value_heads;
  const Index total = args.count * group;
  Row rows[kTileRows];
  for (Index done = 0; done < total;) {
    Index filled = 0;
    for (; filled < kTileRows && done + filled < total; ++filled) {
      const Index token = (done + filled) / group;
      const Index position = args.position + token;
      const Index low = position < args.window ? 0 : position - args.window + 1;
      rows[filled] = {token, (done + filled) % group, low, position};
    }
    Block(args, rows, filled).attend();
    done += filled;
  }
}

}  // namespace fbt::kernels::amx
