#include "harness/tokenizer/tokenizer.h"

#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "base/utf8.h"
#include "harness/tokenizer/tokenizer_impl.h"

namespace fbt {

using tokenizer::BpeModel;
using tokenizer::DecodeStream;
using tokenizer::Parts;
using tokenizer::PieceList;
using tokenizer::Segment;

namespace {

// Appends the ids of ordinary text, already normalized and free of added tokens.
void encode_ordinary(const Parts& parts, std::string_view text, bool starts_input,
                     std::vector<int>& ids, BpeModel::Workspace& workspace) {
  PieceList list{{{text, starts_input}}, {}};
  for (const auto& step : parts.pre_tokenizers.steps) step->apply(list);
  for (const auto& piece : list.pieces) parts.model->encode(piece.text, ids, workspace);
}

}  // namespace

Tokenizer::Tokenizer(std::unique_ptr<const Impl> impl) : impl_(std::move(impl)) {}
Tokenizer::~Tokenizer() = default;
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;

Tokenizer Tokenizer::load(const std::filesystem::path& path) {
  const auto file = std::filesystem::is_directory(path) ? path / "tokenizer.json" : path;
  return from_json(read_file(file), file.string());
}

Tokenizer Tokenizer::from_json(std::string_view json, std::string_view name) {
  return Tokenizer(std::make_unique<const Impl>(Impl{tokenizer::read_tokenizer_json(json, name)}));
}

std::vector<int> Tokenizer::encode(std::string_view text, bool parse_special) const {
  // Positions within a piece are 32-bit numbers.
  if (text.size() > UINT32_MAX / 2) {
    throw InputError(
        fmt::format("a text of {} bytes is too long to tokenize; split it", text.size()));
  }
  std::string valid;
  if (!is_valid_utf8(text)) text = valid = replace_invalid_utf8(text);

  const Parts& parts = impl_->parts;
  std::vector<int> ids;
  BpeModel::Workspace workspace;
  for (const Segment& given : parts.added.split_given(text, parse_special)) {
    if (given.token != nullptr) {
      ids.push_back(given.token->id);
      continue;
    }
    const bool starts_input = given.text.data() == text.data();
    std::string normalized;
    std::string_view segment = given.text;
    if (parts.normalizer) segment = normalized = parts.normalizer->normalize(std::string(segment));
    for (const Segment& part : parts.added.split_normalized(segment, parse_special)) {
      if (part.token != nullptr) {
        ids.push_back(part.token->id);
      } else {
        encode_ordinary(parts, part.text, starts_input && part.text.data() == segment.data(), ids,
                        workspace);
      }
    }
  }
  return ids;
}

std::string Tokenizer::decode(std::span<const int> ids, bool skip_special) const {
  std::string text;
  DecodeStream stream(impl_->parts.decoder);
  for (const int id : ids) {
    if (const std::string* content = impl_->content(id, skip_special)) stream.push(*content, text);
  }
  return text;
}

std::optional<int> Tokenizer::bos_id() const {
  return impl_->parts.bos;
}

std::optional<int> Tokenizer::token_id(std::string_view content) const {
  return impl_->parts.vocabulary->find(content);
}

bool Tokenizer::is_special(int id) const {
  return impl_->parts.added.is_special(id);
}

bool Tokenizer::has_token(int id) const {
  return impl_->parts.vocabulary->has(id);
}

int Tokenizer::vocab_size() const {
  return static_cast<int>(impl_->parts.vocabulary->size());
}

std::string Tokenizer::token_bytes(int id) const {
  return impl_->parts.decoder.token_bytes(impl_->parts.vocabulary->content(id), false);
}

}  // namespace fbt
