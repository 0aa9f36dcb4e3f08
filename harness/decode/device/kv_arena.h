#pragma once

// The key/value cache of DeviceModel: one array of keys and one of values for
// each kind of layer, cut into pages of a few positions. A block of KvPool holds
// the numbers of its pages, so that attention gathers the keys of many sequences
// with one index. The arrays grow as needed; while they do, the old and the new
// one stand side by side.
//
// Not thread-safe.

#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

#include "harness/decode/layer_kind.h"
#include "harness/model/config.h"

namespace fbt {

class KvArena {
 public:
  // Positions of a page.
  static constexpr std::int64_t kPageSlots = 16;
  // A slot whose key and value are zero: where padding may point.
  static constexpr std::int32_t kNullSlot = 0;

  KvArena(const ModelConfig& config, at::ScalarType dtype, at::Device device);

  // `count` pages of a kind; page p has the slots from p * kPageSlots.
  std::vector<std::int32_t> take(LayerKind kind, std::int64_t count);
  void give_back(LayerKind kind, const std::vector<std::int32_t>& pages);

  // Of one layer among those of its kind: [slots, K * d]. Valid until take().
  at::Tensor keys(LayerKind kind, std::int64_t layer) const { return of(kind).keys[layer]; }
  at::Tensor values(LayerKind kind, std::int64_t layer) const { return of(kind).values[layer]; }

 private:
  struct Store {
    at::Tensor keys, values;         // [layers of the kind, slots, K * d]
    std::vector<std::int32_t> free;  // pages
  };

  const Store& of(LayerKind kind) const { return stores_[static_cast<std::size_t>(kind)]; }
  static void grow(Store& store, std::int64_t pages);

  Store stores_[2];  // by LayerKind
};

}  // namespace fbt
