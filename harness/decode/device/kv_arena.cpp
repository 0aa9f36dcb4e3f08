#include "harness/decode/device/kv_arena.h"

#include <algorithm>

#include <ATen/ATen.h>

namespace fbt {

KvArena::KvArena(const ModelConfig& config, at::ScalarType dtype, at::Device device) {
  std::int64_t layers[2] = {0, 0};
  for (std::int64_t layer = 0; layer < config.num_hidden_layers; ++layer) {
    ++layers[config.is_full_attention(layer) ? 0 : 1];
  }
  for (const LayerKind kind : {LayerKind::kFull, LayerKind::kSliding}) {
    Store& store = stores_[static_cast<std::size_t>(kind)];
    // The null slot's page is never handed out.
    const std::int64_t shape[] = {layers[static_cast<std::size_t>(kind)], kPageSlots,
                                  config.num_key_value_heads * config.head_dim};
    store.keys = at::zeros(shape, at::TensorOptions(dtype).device(device));
    store.values = at::zeros_like(store.keys);
  }
}

void KvArena::grow(Store& store, std::int64_t pages) {
  const std::int64_t old_slots = store.keys.size(1);
  const auto grown = [&](const at::Tensor& old) {
    at::Tensor array =
        at::empty({old.size(0), old_slots + pages * kPageSlots, old.size(2)}, old.options());
    array.narrow(1, 0, old_slots).copy_(old);
    return array;
  };
  store.keys = grown(store.keys);
  store.values = grown(store.values);
  const std::int64_t first = old_slots / kPageSlots;
  for (std::int64_t page = first + pages - 1; page >= first; --page) {
    store.free.push_back(static_cast<std::int32_t>(page));
  }
}

std::vector<std::int32_t> KvArena::take(LayerKind kind, std::int64_t count) {
  constexpr std::int64_t kFirstGrowth = 256;
  Store& store = stores_[static_cast<std::size_t>(kind)];
  const std::int64_t missing = count - static_cast<std::int64_t>(store.free.size());
  if (missing > 0) {
    grow(store, std::max({missing, store.keys.size(1) / kPageSlots, kFirstGrowth}));
  }
  const std::vector<std::int32_t> pages(store.free.rbegin(), store.free.rbegin() + count);
  store.free.resize(store.free.size() - static_cast<std::size_t>(count));
  return pages;
}

void KvArena::give_back(LayerKind kind, const std::vector<std::int32_t>& pages) {
  Store& store = stores_[static_cast<std::size_t>(kind)];
  store.free.insert(store.free.end(), pages.rbegin(), pages.rend());
}

}  // namespace fbt
