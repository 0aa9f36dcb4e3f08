#pragma once

// GPT-2's alphabet of bytes: byte-level vocabularies spell each byte as one
// printable character, so that tokens are readable JSON. Printable Latin-1
// bytes stand for themselves, the other 68 for U+0100, U+0101, … in order.

#include <optional>
#include <string>
#include <string_view>

namespace fbt::tokenizer {

// The character that spells `byte`.
char32_t byte_character(unsigned char byte);

// The byte that `character` spells, or nothing.
std::optional<unsigned char> character_byte(char32_t character);

// "Ġthe" for " the".
std::string spell_bytes(std::string_view bytes);

// " the" for "Ġthe"; nothing where a character is outside the alphabet.
std::optional<std::string> unspell_bytes(std::string_view spelled);

}  // namespace fbt::tokenizer
