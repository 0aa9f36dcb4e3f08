// Attention with Intel's AMX: bfloat16 products of 16 x 32 by 32 x 16. The rules
// of kernels_impl.h hold here too: no library function with a shared inline body.

#include <immintrin.h>
#include <string.h>

#define FBT_KERNELS_NAMESPACE amx
#include "harness/decode/kernels/attention_rows.h"

namespace fbt::kernels::amx {
namespace {

constexpr Index kSide = 16;  // rows, and columns of sums, of a tile
static_assert(kPanel == 2 * kSide && kTileDepth == kPanel && kTileRows == 2 * kSide);
constexpr Index kPanelStride = kPanel * 4;  // bytes between a panel's rows of pairs

// Tiles 0 to 3 hold sums [rows, 16]: two side by side, and two below them where
// there are more than 16 rows. 4 and 5 are the left factor [rows, 32], 6 and 7 the
// right one [32, 16], each row of it pairs.
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
  for (int tile = 0; tile < 8; ++tile) {
    const bool below = tile == 2 || tile == 3 || tile == 5;
    Index tile_rows = tile >= 6 ? kSide : below ? rows - kSide : rows;
    if (tile_rows > kSide) tile_rows = kSide;
    if (tile_rows <= 0) continue;
    configuration.row_bytes[tile] = 64;
    configuration.rows[tile] = static_cast<std::uint8_t>(tile_rows);
  }
  _tile_loadconfig(&configuration);
}

template <int kHeight>
inline void clear_sums() {
  _tile_zero(0);
  _tile_zero(1);
  if constexpr (kHeight == 2) {
    _tile_zero(2);
    _tile_zero(3);
  }
}

// Bytes that a few rows' products read ahead of themselves: they wait for memory.
constexpr Index kReadAhead = 8192;

// sums += left [rows, 32 steps] x right [32 steps, 32]. `left_stride` in bytes; the
// right factor lies as a panel of the cache does.
template <int kHeight>
inline void multiply(const Bf16* left, Index left_stride, const Bf16* right, Index steps) {
  const char* upper = reinterpret_cast<const char*>(left);
  const char* panel = reinterpret_cast<const char*>(right);
  constexpr Index kStepBytes = kTileDepth / 2 * kPanelStride;
  for (Index step = 0; step < steps; ++step) {
    if constexpr (kHeight == 1) {
      for (Index ahead = kReadAhead; ahead < kReadAhead + kStepBytes; ahead += 64) {
        _mm_prefetch(panel + ahead, _MM_HINT_T0);
      }
    }
    _tile_loadd(6, panel, kPanelStride);
    _tile_loadd(4, upper, left_stride);
    _tile_dpbf16ps(0, 4, 6);
    _tile_loadd(7, panel + kPanelStride / 2, kPanelStride);
    _tile_dpbf16ps(1, 4, 7);
    if constexpr (kHeight == 2) {
      _tile_loadd(5, upper + kSide * left_stride, left_stride);
      _tile_dpbf16ps(2, 5, 6);
      _tile_dpbf16ps(3, 5, 7);
    }
    upper += kTileDepth * static_cast<Index>(sizeof(Bf16));
    panel += kStepBytes;
  }
}

// `stride` in floats.
template <int kHeight>
inline void store_sums(float* to, Index stride) {
  const Index bytes = stride * static_cast<Index>(sizeof(float));
  _tile_stored(0, to, bytes);
  _tile_stored(1, to + kSide, bytes);
  if constexpr (kHeight == 2) {
    _tile_stored(2, to + kSide * stride, bytes);
    _tile_stored(3, to + kSide * stride + kSide, bytes);
  }
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

// A segment's tiles that some query of a block sees.
struct Tiles {
  Index first_slot;  // a multiple of kPanel
  Index count;       // 0: none
  Index position;    // of first_slot, if the segment went back so far
};

Tiles visible_tiles(const Segment<Bf16>& segment, Index low, Index high) {
  const Index first = segment.position < low ? low : segment.position;
  const Index segment_last = segment.position + segment.count - 1;
  const Index last = segment_last < high ? segment_last : high;
  if (first > last) return {0, 0, 0};
  const Index slot_of_zero = segment.first_slot - segment.position;
  const Index first_slot = (first + slot_of_zero) / kPanel * kPanel;
  return {first_slot, (last + slot_of_zero) / kPanel - first_slot / kPanel + 1,
          first_slot - slot_of_zero};
}

// Up to kTileRows query heads that share their reads of keys and values.
class Block {
 public:
  Block(const AttentionArgs<Bf16>& args, const AttentionRow* rows, Index count)
      : args_(args), rows_(rows), count_(count), low_(rows[0].low), high_(rows[0].high) {
    for (Index r = 1; r < count; ++r) {
      low_ = rows[r].low < low_ ? rows[r].low : low_;
      high_ = rows[r].high > high_ ? rows[r].high : high_;
    }
    stride_ = 0;
    for (Index s = 0; s < args.segment_count; ++s) {
      stride_ += visible_tiles(args.segments[s], low_, high_).count * kPanel;
    }
    // Rows an odd number of cache lines apart spread over the sets of a cache.
    if (stride_ / kPanel % 2 == 0) stride_ += kPanel;
    scores_ = args.scratch;
    weights_ = reinterpret_cast<Bf16*>(scores_ + count * stride_);
  }

  void attend() {
    configure(count_);
    if (count_ > kSide) {
      attend_rows<2>();
    } else {
      attend_rows<1>();
    }
    _tile_release();
  }

 private:
  // kHeight: of the block, in tiles.
  template <int kHeight>
  void attend_rows() {
    score<kHeight>();
    float factors[kTileRows];
    for (Index r = 0; r < count_; ++r) factors[r] = weigh(r) * gate(rows_[r]);
    mix<kHeight>(factors);
  }

  // visit(segment, tiles, column of the first slot) for each visible segment.
  template <typename Visit>
  void for_each_segment(const Visit& visit) const {
    Index column = 0;
    for (Index s = 0; s < args_.segment_count; ++s) {
      const Tiles tiles = visible_tiles(args_.segments[s], low_, high_);
      if (tiles.count == 0) continue;
      visit(args_.segments[s], tiles, column);
      column += tiles.count * kPanel;
    }
  }

  template <int kHeight>
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
        clear_sums<kHeight>();
        multiply<kHeight>(queries, d * 2, keys + (tiles.first_slot + tile * kPanel) * d,
                          d / kTileDepth);
        store_sums<kHeight>(scores_ + column + tile * kPanel, stride_);
      }
    });
  }

  // The columns [from, to) of a segment's that a row sees; to <= from: none.
  struct Visible {
    Index from;
    Index to;
  };
  static Visible visible_columns(const AttentionRow& row, const Segment<Bf16>& segment,
                                 const Tiles& tiles) {
    const Index first = segment.position < row.low ? row.low : segment.position;
    const Index segment_last = segment.position + segment.count - 1;
    const Index last = segment_last < row.high ? segment_last : row.high;
    return {first - tiles.position, last - tiles.position + 1};
  }

  // visit(i, mask) for each vector of scores [i, i + 16) with a visible column.
  template <typename Visit>
  static void for_each_vector(const Visible& visible, const Visit& visit) {
    constexpr __mmask16 kAll = 0xffff;
    Index i = visible.from / kSide * kSide;
    if (i < visible.from && i < visible.to) {
      const Index beyond = i + kSide - visible.to;
      visit(i, static_cast<__mmask16>(kAll << (visible.from - i) &
                                      (beyond > 0 ? kAll >> beyond : kAll)));
      i += kSide;
    }
    for (; i + kSide <= visible.to; i += kSide) visit(i, kAll);
    if (i < visible.to) visit(i, static_cast<__mmask16>(kAll >> (i + kSide - visible.to)));
  }

  // Turns a row's scores into weights, zero where nothing is visible; returns the
  // factor that is still to be applied.
  float weigh(Index r) {
    const AttentionRow& row = rows_[r];
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
      clear(weights, written_to, tiles.count * kPanel);
    });
    return 1 / _mm512_reduce_add_ps(sums);
  }

  static void clear(Bf16* weights, Index from, Index to) {
    if (to > from) memset(weights + from, 0, sizeof(Bf16) * static_cast<std::size_t>(to - from));
  }

  float gate(const AttentionRow& row) const {
    const std::uint32_t bits =
        static_cast<std::uint32_t>(args_.gate[row.token * args_.query_stride + row.head].bits)
        << 16;
    float logit;
    memcpy(&logit, &bits, sizeof logit);
    const __m512 denominator = 1.0f + exponential(_mm512_set1_ps(-logit));
    return 1 / _mm512_cvtss_f32(denominator);
  }

  template <int kHeight>
  void mix(const float* factors) {
    const Index d = args_.shape.head_dim;
    alignas(64) float mixed[kTileRows * kPanel];
    for (Index first = 0; first < d; first += kPanel) {
      clear_sums<kHeight>();
      for_each_segment([&](const Segment<Bf16>& segment, const Tiles& tiles, Index column) {
        const Bf16* values = segment.values + (args_.key_value_head * d + first) * segment.capacity;
        multiply<kHeight>(weights_ + column, stride_ * 2, values + tiles.first_slot * kPanel,
                          tiles.count);
      });
      store_sums<kHeight>(mixed, kPanel);
      for (Index r = 0; r < count_; ++r) {
        Bf16* out = args_.out + rows_[r].token * args_.out_stride + rows_[r].head * d + first;
        for (Index half = 0; half < kPanel; half += kSide) {
          const __m256bh rounded =
              _mm512_cvtneps_pbh(_mm512_load_ps(mixed + r * kPanel + half) * factors[r]);
          memcpy(out + half, &rounded, sizeof rounded);
        }
      }
    }
  }

  const AttentionArgs<Bf16>& args_;
  const AttentionRow* rows_;
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
  for_each_row_block<kTileRows>(
      args, [&](const AttentionRow* rows, Index count) { Block(args, rows, count).attend(); });
}

}  // namespace fbt::kernels::amx
