#include "base/sha256.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "tests/support/paths.h"

namespace fbt {
namespace {

// Vectors of FIPS 180-4's examples.
TEST(Sha256, KnownDigests) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

// openssl dgst -sha256 -binary | base64
TEST(Sha256, Base64) {
  EXPECT_EQ(sha256_base64("abc"), "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
}

TEST(Sha256, FileInPiecesEqualsWhole) {
  const testing::TemporaryFolder folder;
  const std::string text((std::size_t{16} << 20) + 12345, 'q');
  write_file_atomically(folder.path() / "a", text);
  EXPECT_EQ(sha256_file(folder.path() / "a"), sha256_hex(text));
}

}  // namespace
}  // namespace fbt
