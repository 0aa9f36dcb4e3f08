#include "harness/train/packing.h"

#include <utility>

namespace fbt::train {

PackedRows::PackedRows(Document document, Encode encode, int bos, std::int64_t length)
    : document_(std::move(document)), encode_(std::move(encode)), bos_(bos), length_(length) {}

std::vector<std::int64_t> PackedRows::row(std::uint64_t number) const {
  const auto size = static_cast<std::size_t>(length_) + 1;
  std::vector<std::int64_t> tokens;
  tokens.reserve(size);
  // Each document fills at least its BOS: a row never needs more than `size`.
  for (std::uint64_t index = number * size; tokens.size() < size; ++index) {
    tokens.push_back(bos_);
    for (const int id : encode_(document_(index))) {
      if (tokens.size() == size) break;
      tokens.push_back(id);
    }
  }
  return tokens;
}

}  // namespace fbt::train
