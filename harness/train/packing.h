#pragma once

// Documents packed into rows of equal length, each document led by BOS.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace fbt::train {

// Makes row after row from numbered documents. A row depends on its number only,
// so a resumed training reads on where it stopped without any state.
class PackedRows {
 public:
  using Document = std::function<std::string(std::uint64_t index)>;
  using Encode = std::function<std::vector<int>(const std::string& text)>;

  // Rows of `length` + 1 tokens: inputs are all but the last, targets all but the first.
  PackedRows(Document document, Encode encode, int bos, std::int64_t length);

  // BOS, document, BOS, document, …; the last one is cut where the row ends.
  std::vector<std::int64_t> row(std::uint64_t number) const;

 private:
  Document document_;
  Encode encode_;
  int bos_;
  std::int64_t length_;
};

}  // namespace fbt::train
