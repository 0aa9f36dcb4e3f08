#include "harness/train/packing.h"

#include <gtest/gtest.h>

#include <string>

namespace fbt::train {
namespace {

// Document i is the number i written i % 4 + 1 times; BOS is -1.
PackedRows counted_rows(std::int64_t length) {
  return {[](std::uint64_t index) { return std::to_string(index); },
          [](const std::string& text) {
            const int number = std::stoi(text);
            return std::vector<int>(static_cast<std::size_t>(number % 4 + 1), number);
          },
          -1, length};
}

TEST(PackedRows, LeadsEachDocumentWithBosAndCutsTheLast) {
  EXPECT_EQ(counted_rows(10).row(0),
            (std::vector<std::int64_t>{-1, 0, -1, 1, 1, -1, 2, 2, 2, -1, 3}));
  // Row 1 starts at document 11: no document is in two rows.
  EXPECT_EQ(counted_rows(10).row(1),
            (std::vector<std::int64_t>{-1, 11, 11, 11, 11, -1, 12, -1, 13, 13, -1}));
}

TEST(PackedRows, RowsDependOnTheirNumberOnly) {
  const PackedRows rows = counted_rows(16);
  const auto third = rows.row(3);
  rows.row(9);
  EXPECT_EQ(rows.row(3), third);
  EXPECT_EQ(third.size(), 17u);
}

TEST(PackedRows, EmptyDocumentsEnd) {
  const PackedRows rows([](std::uint64_t) { return ""; },
                        [](const std::string&) { return std::vector<int>(); }, 5, 3);
  EXPECT_EQ(rows.row(0), (std::vector<std::int64_t>{5, 5, 5, 5}));
}

}  // namespace
}  // namespace fbt::train
