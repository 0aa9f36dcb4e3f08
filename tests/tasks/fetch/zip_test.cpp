#include "tasks/fetch/zip.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace fbt::tasks {
namespace {

// Written by Python's zipfile: d/stored.txt (stored) and d/packed.txt (deflated).
constexpr std::string_view kArchive =
    "504b03041400000000000000215081aa296009000000090000000c000000642f73746f7265642e7478746173"
    "2069742069730a504b030414000000080000002150dfa9136c09000000500000000c000000642f7061636b65"
    "642e7478742bca2fe72aa2220600504b010214031400000000000000215081aa296009000000090000000c00"
    "00000000000000000000800100000000642f73746f7265642e747874504b0102140314000000080000002150"
    "dfa9136c09000000500000000c0000000000000000000000800133000000642f7061636b65642e747874504b"
    "0506000000000200020074000000660000000000";

std::string archive() {
  std::string bytes;
  for (std::size_t i = 0; i < kArchive.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(kArchive.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

TEST(Zip, ReadsStoredAndDeflatedMembers) {
  EXPECT_EQ(zip_member(archive(), "d/stored.txt", "a.zip"), "as it is\n");
  std::string rows;
  for (int i = 0; i < 20; ++i) rows += "row\n";
  EXPECT_EQ(zip_member(archive(), "d/packed.txt", "a.zip"), rows);
}

TEST(Zip, NamesAMemberThatIsNotThere) {
  EXPECT_THROW(zip_member(archive(), "d/other.txt", "a.zip"), InputError);
}

TEST(Zip, RefusesDamageOfAnyKind) {
  const std::string whole = archive();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THROW(zip_member(whole.substr(0, length), "d/packed.txt", "a.zip"), InputError);
  }
  // A flipped byte is found, or lies where it changes nothing that is read.
  const std::string content = zip_member(whole, "d/packed.txt", "a.zip");
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x41);
    try {
      EXPECT_EQ(zip_member(damaged, "d/packed.txt", "a.zip"), content) << i;
    } catch (const InputError&) {
    }
  }
}

}  // namespace
}  // namespace fbt::tasks
