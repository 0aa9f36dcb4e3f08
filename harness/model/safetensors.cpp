#include "harness/model/safetensors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json_lines.h"

namespace fbt {
namespace {

using nlohmann::json;

static_assert(std::endian::native == std::endian::little, "safetensors are little endian");

constexpr std::size_t kLengthBytes = 8;
constexpr std::uint64_t kLongestHeader = 100'000'000;  // as the format's own library allows
constexpr std::size_t kNamesInMessage = 3;

constexpr std::array<std::string_view, 3> kTypeNames = {"F32", "BF16", "F16"};

std::optional<StoredType> parse_type(const json& value) {
  if (!value.is_string()) return std::nullopt;
  const auto found =
      std::find(kTypeNames.begin(), kTypeNames.end(), value.get_ref<const std::string&>());
  if (found == kTypeNames.end()) return std::nullopt;
  return static_cast<StoredType>(found - kTypeNames.begin());
}

// The header's JSON text. Throws InputError for a length that does not fit.
std::string_view header_text(std::span<const std::byte> content, std::string_view name) {
  std::uint64_t length = 0;
  if (content.size() < kLengthBytes) {
    throw InputError(fmt::format("{}: {} bytes are no safetensors file; it may be truncated", name,
                                 content.size()));
  }
  std::memcpy(&length, content.data(), kLengthBytes);
  if (length > kLongestHeader || length > content.size() - kLengthBytes) {
    throw InputError(fmt::format(
        "{}: its header claims {} bytes but the file has {}; it is truncated or no safetensors "
        "file",
        name, length, content.size()));
  }
  return {reinterpret_cast<const char*>(content.data()) + kLengthBytes,
          static_cast<std::size_t>(length)};
}

// A list of whole numbers from 0, or nothing.
std::optional<std::vector<std::int64_t>> parse_numbers(const json& entry, const char* key) {
  const auto list = entry.find(key);
  if (list == entry.end() || !list->is_array()) return std::nullopt;
  std::vector<std::int64_t> numbers;
  for (const json& number : *list) {
    if (!number.is_number_integer() || number < 0 || number > (std::int64_t{1} << 48)) {
      return std::nullopt;
    }
    numbers.push_back(number.get<std::int64_t>());
  }
  return numbers;
}

// Bytes of a tensor, or nothing where the product passes what a file could hold.
std::optional<std::int64_t> byte_size(const std::vector<std::int64_t>& shape, StoredType type) {
  std::int64_t product = static_cast<std::int64_t>(stored_type_size(type));
  for (const std::int64_t size : shape) {
    if (__builtin_mul_overflow(product, size, &product)) return std::nullopt;
  }
  return product;
}

StoredTensor parse_entry(const std::string& tensor, const json& entry,
                         std::span<const std::byte> data, std::string_view name) {
  const auto fail = [&](std::string_view why) {
    throw InputError(fmt::format("{}: tensor {} {}", name, tensor, why));
  };
  if (!entry.is_object() || !entry.contains("dtype")) fail("has no dtype");
  StoredTensor stored;
  const auto type = parse_type(entry.at("dtype"));
  if (!type) {
    fail(
        fmt::format("has dtype {}; supported are F32, BF16 and F16", dump_json(entry.at("dtype"))));
  }
  stored.type = *type;
  const auto shape = parse_numbers(entry, "shape");
  if (!shape) fail("has no valid shape");
  stored.shape = *shape;
  const auto offsets = parse_numbers(entry, "data_offsets");
  if (!offsets || offsets->size() != 2 || (*offsets)[0] > (*offsets)[1]) {
    fail("has no valid data_offsets");
  }
  const auto begin = static_cast<std::size_t>((*offsets)[0]);
  const auto end = static_cast<std::size_t>((*offsets)[1]);
  if (end > data.size()) {
    fail(fmt::format("ends at byte {} of {}; the file is truncated", end, data.size()));
  }
  if (byte_size(stored.shape, stored.type) != static_cast<std::int64_t>(end - begin)) {
    fail(fmt::format("has {} bytes, not what its shape [{}] and dtype need", end - begin,
                     fmt::join(stored.shape, ", ")));
  }
  stored.bytes = data.subspan(begin, end - begin);
  return stored;
}

void check_no_gaps(const std::map<std::string, StoredTensor, std::less<>>& tensors,
                   std::span<const std::byte> data, std::string_view name) {
  std::vector<std::span<const std::byte>> ranges;
  for (const auto& [tensor, stored] : tensors) {
    if (!stored.bytes.empty()) ranges.push_back(stored.bytes);
  }
  std::sort(ranges.begin(), ranges.end(),
            [](const auto& a, const auto& b) { return a.data() < b.data(); });
  const std::byte* position = data.data();
  for (const auto& range : ranges) {
    if (range.data() != position) {
      throw InputError(
          fmt::format("{}: tensors overlap or leave a gap at byte {} of the data; the file is "
                      "damaged",
                      name, std::min(range.data(), position) - data.data()));
    }
    position = range.data() + range.size();
  }
  if (position != data.data() + data.size()) {
    throw InputError(fmt::format("{}: {} bytes after the last tensor; the file is damaged", name,
                                 data.data() + data.size() - position));
  }
}

std::string some_names(const std::vector<std::string>& names) {
  const std::size_t shown = std::min(names.size(), kNamesInMessage);
  std::string text = fmt::format("{}", fmt::join(names.begin(), names.begin() + shown, ", "));
  if (names.size() > shown) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

}  // namespace

std::size_t stored_type_size(StoredType type) {
  return type == StoredType::kF32 ? 4 : 2;
}

std::map<std::string, StoredTensor, std::less<>> parse_safetensors(
    std::span<const std::byte> content, std::string_view name) {
  const std::string_view text = header_text(content, name);
  const json header = parse_json(text, fmt::format("{}: its header", name));
  if (!header.is_object()) throw InputError(fmt::format("{}: its header is no object", name));
  const auto data = content.subspan(kLengthBytes + text.size());
  std::map<std::string, StoredTensor, std::less<>> tensors;
  for (const auto& [tensor, entry] : header.items()) {
    if (tensor == "__metadata__") continue;
    tensors.emplace(tensor, parse_entry(tensor, entry, data, name));
  }
  check_no_gaps(tensors, data, name);
  return tensors;
}

SafetensorsReader::SafetensorsReader(const std::vector<std::filesystem::path>& files) {
  files_.reserve(files.size());  // entries point into it
  for (const std::filesystem::path& path : files) {
    files_.emplace_back(path);
    if (name_.empty()) name_ = path.string();
    for (auto& [tensor, stored] : parse_safetensors(files_.back().bytes(), path.string())) {
      if (!entries_.try_emplace(tensor, Entry{stored, &files_.back()}).second) {
        throw InputError(
            fmt::format("{}: tensor {} is in another shard too", path.string(), tensor));
      }
    }
  }
}

void SafetensorsReader::check(const std::vector<TensorSpec>& expected) const {
  std::vector<std::string> missing;
  std::vector<std::string> known;
  for (const TensorSpec& spec : expected) {
    known.push_back(spec.name);
    const auto found = entries_.find(spec.name);
    if (found == entries_.end()) {
      missing.push_back(spec.name);
    } else if (found->second.tensor.shape != spec.shape) {
      throw InputError(fmt::format("{}: tensor {} has shape [{}], but config.json asks for [{}]",
                                   name_, spec.name, fmt::join(found->second.tensor.shape, ", "),
                                   fmt::join(spec.shape, ", ")));
    }
  }
  if (!missing.empty()) {
    throw InputError(fmt::format("{}: missing tensors: {}", name_, some_names(missing)));
  }
  std::sort(known.begin(), known.end());
  std::vector<std::string> unknown;
  for (const auto& [tensor, entry] : entries_) {
    if (!std::binary_search(known.begin(), known.end(), tensor)) unknown.push_back(tensor);
  }
  if (!unknown.empty()) {
    throw InputError(
        fmt::format("{}: tensors that config.json does not ask for: {} (check num_hidden_layers, "
                    "latent_feedback)",
                    name_, some_names(unknown)));
  }
}

const StoredTensor& SafetensorsReader::tensor(std::string_view name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) {
    throw InputError(fmt::format("{}: missing tensors: {}", name_, name));
  }
  return found->second.tensor;
}

void SafetensorsReader::release(std::string_view name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) return;
  const auto& [tensor, file] = found->second;
  file->release(static_cast<std::size_t>(tensor.bytes.data() - file->bytes().data()),
                tensor.bytes.size());
}

void write_safetensors(const std::filesystem::path& path,
                       const std::vector<TensorToWrite>& tensors) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  std::size_t offset = 0;
  for (const TensorToWrite& tensor : tensors) {
    header[tensor.name] = {{"dtype", kTypeNames[static_cast<std::size_t>(tensor.type)]},
                           {"shape", tensor.shape},
                           {"data_offsets", {offset, offset + tensor.bytes.size()}}};
    offset += tensor.bytes.size();
  }
  std::string text = header.dump();
  text.resize((text.size() + kLengthBytes - 1) / kLengthBytes * kLengthBytes, ' ');
  const std::uint64_t length = text.size();
  std::string prefix(kLengthBytes, '\0');
  std::memcpy(prefix.data(), &length, kLengthBytes);
  prefix += text;

  std::vector<std::string_view> pieces = {prefix};
  for (const TensorToWrite& tensor : tensors) pieces.push_back(tensor.bytes);
  write_file_atomically(path, pieces);
}

}  // namespace fbt
