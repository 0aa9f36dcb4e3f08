#include "harness/model/weights.h"

#include <cmath>
#include <cstring>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/random.h"
#include "harness/model/safetensors.h"

namespace fbt {
namespace {

at::ScalarType scalar_type(StoredType type) {
  switch (type) {
    case StoredType::kF32:
      return at::kFloat;
    case StoredType::kBf16:
      return at::kBFloat16;
    case StoredType::kF16:
      break;
  }
  return at::kHalf;
}

StoredType stored_type(const at::Tensor& tensor, const std::string& name) {
  if (tensor.scalar_type() == at::kFloat) return StoredType::kF32;
  if (tensor.scalar_type() == at::kBFloat16) return StoredType::kBf16;
  if (tensor.scalar_type() == at::kHalf) return StoredType::kF16;
  throw InputError(fmt::format("tensor {} has a dtype that a checkpoint cannot hold", name));
}

class FileWeights : public WeightSource {
 public:
  FileWeights(const Checkpoint& checkpoint) : reader_(checkpoint.weight_files) {
    reader_.check(tensor_list(checkpoint.config));
  }

  at::Tensor load(const TensorSpec& spec, at::ScalarType dtype) const override {
    const StoredTensor& stored = reader_.tensor(spec.name);
    // The bytes in the file need not be aligned, so they are copied as bytes.
    at::Tensor tensor = at::empty(stored.shape, at::TensorOptions(scalar_type(stored.type)));
    std::memcpy(tensor.data_ptr(), stored.bytes.data(), stored.bytes.size());
    reader_.release(spec.name);
    return tensor.to(dtype);
  }

 private:
  SafetensorsReader reader_;
};

class RandomWeights : public WeightSource {
 public:
  explicit RandomWeights(std::uint64_t seed) : seed_(seed) {}

  at::Tensor load(const TensorSpec& spec, at::ScalarType dtype) const override {
    if (spec.is_gain()) return at::ones(spec.shape, at::TensorOptions(dtype));
    at::Tensor tensor = at::empty(spec.shape, at::TensorOptions(dtype));
    const std::uint64_t key = stable_hash(spec.name, seed_);
    // A uniform number in [-a, a) has standard deviation a / sqrt(3).
    const double reach = std::sqrt(3.0 / static_cast<double>(spec.shape.back()));
    AT_DISPATCH_FLOATING_TYPES_AND2(at::kBFloat16, at::kHalf, dtype, "random_weights", [&] {
      fill(tensor.data_ptr<scalar_t>(), tensor.numel(), key, reach);
    });
    return tensor;
  }

 private:
  template <typename Scalar>
  static void fill(Scalar* data, std::int64_t count, std::uint64_t key, double reach) {
    constexpr std::int64_t kPerBlock = 4;  // numbers of one philox call
    const auto scale = static_cast<float>(2 * reach / 4294967296.0);
    at::parallel_for(
        0, (count + kPerBlock - 1) / kPerBlock, 4096, [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t block = begin; block < end; ++block) {
            const auto bits = philox4x32(
                {static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32), 0, 0},
                {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)});
            const std::int64_t first = block * kPerBlock;
            for (std::int64_t i = first; i < std::min(first + kPerBlock, count); ++i) {
              const auto centred = static_cast<std::int32_t>(
                  bits[static_cast<std::size_t>(i - first)] ^ 0x80000000U);
              data[i] = static_cast<Scalar>(static_cast<float>(centred) * scale);
            }
          }
        });
  }

  std::uint64_t seed_;
};

std::string facts_text(const CheckpointFacts& facts) {
  nlohmann::ordered_json object = {{"name", facts.name}};
  if (facts.train_tokens) object["train_tokens"] = *facts.train_tokens;
  if (facts.average_passes) object["average_passes"] = *facts.average_passes;
  object["family"] = family_name(facts.family);
  object["stage"] = stage_name(facts.stage);
  if (!facts.chat_format.empty()) object["chat_format"] = facts.chat_format;
  return object.dump(2) + "\n";
}

}  // namespace

std::unique_ptr<WeightSource> open_weights(const Checkpoint& checkpoint) {
  if (checkpoint.random) return random_weights(checkpoint.seed);
  return std::make_unique<FileWeights>(checkpoint);
}

std::unique_ptr<WeightSource> random_weights(std::uint64_t seed) {
  return std::make_unique<RandomWeights>(seed);
}

NamedTensors load_all(const WeightSource& source, const ModelConfig& config, at::ScalarType dtype) {
  NamedTensors tensors;
  for (const TensorSpec& spec : tensor_list(config)) {
    tensors.emplace_back(spec.name, source.load(spec, dtype));
  }
  return tensors;
}

void save_checkpoint(const std::filesystem::path& folder, const ModelConfig& config,
                     const CheckpointFacts& facts, const NamedTensors& tensors) {
  const std::vector<TensorSpec> specs = tensor_list(config);
  if (tensors.size() != specs.size()) {
    throw InputError(fmt::format("{}: {} tensors to save, but the configuration has {}",
                                 folder.string(), tensors.size(), specs.size()));
  }
  NamedTensors on_cpu;  // keeps the bytes alive while they are written
  std::vector<TensorToWrite> list;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const auto& [name, tensor] = tensors[i];
    if (name != specs[i].name || tensor.sizes() != at::IntArrayRef(specs[i].shape)) {
      throw InputError(fmt::format("{}: tensor {} to save is not the configuration's {}",
                                   folder.string(), name, specs[i].name));
    }
    on_cpu.emplace_back(name, tensor.detach().to(at::kCPU).contiguous());
    const at::Tensor& bytes = on_cpu.back().second;
    list.push_back({name,
                    stored_type(bytes, name),
                    specs[i].shape,
                    {static_cast<const char*>(bytes.data_ptr()), bytes.nbytes()}});
  }
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw EnvironmentError(
        fmt::format("cannot make the folder {}: {}", folder.string(), error.message()));
  }
  write_safetensors(folder / "model.safetensors", list);
  write_file_atomically(folder / "config.json", model_config_text(config));
  write_file_atomically(folder / "fbt.json", facts_text(facts));
}

}  // namespace fbt
