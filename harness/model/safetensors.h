#pragma once

// The safetensors format: eight bytes of header length (little endian), a JSON
// header {"name": {"dtype", "shape", "data_offsets": [begin, end]}, ...}, then the
// tensors' bytes without gaps. Knows nothing of LibTorch.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "harness/model/tensor_list.h"

namespace fbt {

enum class StoredType { kF32, kBf16, kF16 };

std::size_t stored_type_size(StoredType type);  // bytes of an element

// A tensor as it lies in a file; the bytes live as long as the SafetensorsReader.
struct StoredTensor {
  StoredType type = StoredType::kF32;
  std::vector<std::int64_t> shape;
  std::span<const std::byte> bytes;  // row-major, little endian, not aligned
};

// Parses and checks a whole file's bytes: header inside the file, every dtype
// known, every offset inside the data and matching shape and dtype, no gaps, no
// overlaps. Throws InputError naming `name` and the tensor.
std::map<std::string, StoredTensor, std::less<>> parse_safetensors(
    std::span<const std::byte> content, std::string_view name);

// The tensors of one or several memory-mapped files. Immutable: any thread may read.
class SafetensorsReader {
 public:
  // Throws InputError for bad files and for a tensor that is in two of them.
  explicit SafetensorsReader(const std::vector<std::filesystem::path>& files);

  // Throws InputError naming missing tensors, unknown ones, and shapes that
  // disagree with `expected`.
  void check(const std::vector<TensorSpec>& expected) const;

  // Throws InputError if there is no such tensor.
  const StoredTensor& tensor(std::string_view name) const;

  // The tensor's bytes are not needed again soon: keeps resident memory down
  // while one tensor after the other is copied out.
  void release(std::string_view name) const;

 private:
  struct Entry {
    StoredTensor tensor;
    const MappedFile* file;
  };
  std::vector<MappedFile> files_;
  std::map<std::string, Entry, std::less<>> entries_;
  std::string name_;  // of the file, or of the first shard, for messages
};

struct TensorToWrite {
  std::string name;
  StoredType type = StoredType::kF32;
  std::vector<std::int64_t> shape;
  std::string_view bytes;  // row-major, little endian; the caller keeps them alive
};

// Writes model.safetensors atomically, the tensors in the order given, each at a
// multiple of eight bytes where its predecessors' sizes allow. Throws EnvironmentError.
void write_safetensors(const std::filesystem::path& path,
                       const std::vector<TensorToWrite>& tensors);

}  // namespace fbt
