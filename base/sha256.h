#pragma once

// SHA-256 (FIPS 180-4), through OpenSSL.

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace fbt {

// Feeds bytes in any number of pieces; hex() ends the digest and may be called once.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void update(std::string_view bytes);
  // 64 lower-case hexadecimal digits.
  std::string hex();
  // The same digest in base64; one of the two, once.
  std::string base64();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string sha256_hex(std::string_view bytes);
// In base64, as content security policies name an inline script.
std::string sha256_base64(std::string_view bytes);

// Of a file's bytes as they lie on the disk, read in pieces. Throws InputError.
std::string sha256_file(const std::filesystem::path& path);

}  // namespace fbt
