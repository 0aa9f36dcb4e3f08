#include "harness/tokenizer/byte_alphabet.h"

#include <array>
#include <cstddef>

#include "base/utf8.h"

namespace fbt::tokenizer {
namespace {

struct Alphabet {
  std::array<char32_t, 256> character{};
  std::array<int, 512> byte{};  // -1: not in the alphabet
};

constexpr bool spells_itself(int byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

constexpr Alphabet make_alphabet() {
  Alphabet alphabet;
  for (int& byte : alphabet.byte) byte = -1;
  char32_t next = 0x100;
  for (int byte = 0; byte < 256; ++byte) {
    const char32_t character = spells_itself(byte) ? static_cast<char32_t>(byte) : next++;
    alphabet.character[static_cast<std::size_t>(byte)] = character;
    alphabet.byte[character] = byte;
  }
  return alphabet;
}

constexpr Alphabet kAlphabet = make_alphabet();

}  // namespace

char32_t byte_character(unsigned char byte) {
  return kAlphabet.character[byte];
}

std::optional<unsigned char> character_byte(char32_t character) {
  if (character >= kAlphabet.byte.size() || kAlphabet.byte[character] < 0) return std::nullopt;
  return static_cast<unsigned char>(kAlphabet.byte[character]);
}

std::string spell_bytes(std::string_view bytes) {
  std::string spelled;
  for (const char byte : bytes) {
    append_utf8(spelled, byte_character(static_cast<unsigned char>(byte)));
  }
  return spelled;
}

std::optional<std::string> unspell_bytes(std::string_view spelled) {
  std::string bytes;
  for (std::size_t offset = 0; offset < spelled.size();) {
    const auto byte = character_byte(next_code_point(spelled, offset));
    if (!byte) return std::nullopt;
    bytes += static_cast<char>(*byte);
  }
  return bytes;
}

}  // namespace fbt::tokenizer
