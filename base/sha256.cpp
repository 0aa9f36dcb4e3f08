#include "base/sha256.h"

#include <openssl/evp.h>

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"

namespace fbt {

struct Sha256::State {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  ~State() { EVP_MD_CTX_free(context); }
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  if (EVP_DigestInit_ex(state_->context, EVP_sha256(), nullptr) != 1) {
    throw EnvironmentError("OpenSSL offers no SHA-256");
  }
}

Sha256::~Sha256() = default;

void Sha256::update(std::string_view bytes) {
  EVP_DigestUpdate(state_->context, bytes.data(), bytes.size());
}

std::string Sha256::hex() {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  EVP_DigestFinal_ex(state_->context, digest, &length);
  std::string text;
  for (unsigned char byte : std::span(digest, length)) text += fmt::format("{:02x}", byte);
  return text;
}

std::string Sha256::base64() {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  EVP_DigestFinal_ex(state_->context, digest, &length);
  unsigned char text[2 * EVP_MAX_MD_SIZE];
  const int written = EVP_EncodeBlock(text, digest, static_cast<int>(length));
  return {reinterpret_cast<const char*>(text), static_cast<std::size_t>(written)};
}

std::string sha256_hex(std::string_view bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.hex();
}

std::string sha256_base64(std::string_view bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.base64();
}

std::string sha256_file(const std::filesystem::path& path) {
  constexpr std::size_t kPiece = std::size_t{16} << 20;
  const MappedFile file(path);
  Sha256 hash;
  const auto bytes = file.bytes();
  for (std::size_t offset = 0; offset < bytes.size(); offset += kPiece) {
    const auto piece = bytes.subspan(offset, std::min(kPiece, bytes.size() - offset));
    hash.update({reinterpret_cast<const char*>(piece.data()), piece.size()});
    file.release(offset, piece.size());
  }
  return hash.hex();
}

}  // namespace fbt
