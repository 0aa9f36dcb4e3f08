#include "tests/harness/decode/strict_device.h"

#include <atomic>
#include <memory>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <torch/library.h>

namespace fbt::testing {
namespace {

constexpr c10::DeviceType kType = c10::DeviceType::PrivateUse1;

std::atomic<std::int64_t> operations{0};

bool is_strict(const at::Tensor& tensor) {
  return tensor.defined() && tensor.device().type() == kType;
}

// The same memory as a tensor of the CPU, which keeps the other one alive.
at::Tensor as_cpu(const at::Tensor& tensor) {
  if (!is_strict(tensor)) return tensor;
  // An operation may give an empty one a size.
  if (tensor.numel() == 0) return at::empty(tensor.sizes(), tensor.scalar_type());
  return at::from_blob(
      tensor.data_ptr(), tensor.sizes(), tensor.strides(), [tensor](void*) {},
      at::TensorOptions(tensor.scalar_type()));
}

// And back.
at::Tensor as_strict(const at::Tensor& tensor) {
  if (!tensor.defined() || is_strict(tensor)) return tensor;
  auto owner = std::make_unique<at::Tensor>(tensor);
  const auto free = [](void* context) { delete static_cast<at::Tensor*>(context); };
  void* data = tensor.data_ptr();
  c10::DataPtr pointer(data, owner.release(), free, kStrictDevice);
  // From the tensor's first element to its last.
  std::int64_t elements = tensor.numel() == 0 ? 0 : 1;
  for (std::int64_t i = 0; i < tensor.dim() && elements > 0; ++i) {
    elements += (tensor.size(i) - 1) * tensor.stride(i);
  }
  c10::Storage storage(c10::Storage::use_byte_size_t(),
                       static_cast<std::size_t>(elements) * tensor.element_size(),
                       std::move(pointer), /*allocator=*/nullptr, /*resizable=*/false);
  at::Tensor result = at::detail::make_tensor<c10::TensorImpl>(
      std::move(storage), c10::DispatchKeySet(c10::DispatchKey::PrivateUse1), tensor.dtype());
  result.unsafeGetTensorImpl()->set_sizes_and_strides(tensor.sizes(), tensor.strides());
  return result;
}

// Makes `tensor` what an operation has made of its alias on the CPU.
void adopt(const at::Tensor& tensor, const at::Tensor& alias) {
  if (tensor.sizes() == alias.sizes() && tensor.strides() == alias.strides()) return;
  const at::Tensor changed = as_strict(alias);
  c10::TensorImpl* impl = tensor.unsafeGetTensorImpl();
  impl->set_storage_keep_dtype(changed.storage());
  impl->set_sizes_and_strides(changed.sizes(), changed.strides());
}

// Runs `change` over every tensor of an operation's argument or result.
template <typename Change>
c10::IValue with_tensors(const c10::IValue& value, const Change& change) {
  if (value.isTensor()) return change(value.toTensor());
  if (value.isTensorList()) {
    std::vector<at::Tensor> changed;
    for (const at::Tensor& tensor : value.toTensorVector()) changed.push_back(change(tensor));
    return changed;
  }
  if (value.isDevice() && value.toDevice().type() == kType) return at::Device(at::kCPU);
  return value;
}

void refuse_strangers(const c10::OperatorHandle& op, const torch::jit::Stack& arguments) {
  const std::string& name = op.schema().name();
  if (name == "aten::_copy_from" || name == "aten::_copy_from_and_resize") return;
  for (const c10::IValue& argument : arguments) {
    with_tensors(argument, [&](const at::Tensor& tensor) {
      TORCH_CHECK(!tensor.defined() || is_strict(tensor) || tensor.dim() == 0, name,
                  " was given a tensor of ", tensor.device(), " among those of ", kStrictDevice);
      return tensor;
    });
  }
}

// Every operation: on the same memory, by the CPU's kernels.
void run(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  ++operations;
  const std::size_t count = op.schema().arguments().size();
  const torch::jit::Stack arguments = torch::jit::last(*stack, count).vec();
  refuse_strangers(op, arguments);
  torch::jit::drop(*stack, count);
  if (op.schema().name() == "aten::_copy_from") {
    as_cpu(arguments[1].toTensor()).copy_(as_cpu(arguments[0].toTensor()));
    stack->push_back(arguments[1]);
    return;
  }
  std::vector<c10::IValue> passed;
  for (const c10::IValue& argument : arguments) passed.push_back(with_tensors(argument, as_cpu));
  torch::jit::Stack results = passed;
  op.callBoxed(&results);
  // What an operation writes to and gives back is the caller's own tensor.
  const auto back = [&](const at::Tensor& result) {
    for (std::size_t i = 0; i < count; ++i) {
      if (!arguments[i].isTensor() || !is_strict(arguments[i].toTensor())) continue;
      if (!result.defined() || !passed[i].toTensor().is_same(result)) continue;
      adopt(arguments[i].toTensor(), result);
      return arguments[i].toTensor();
    }
    return as_strict(result);
  };
  for (const c10::IValue& result : results) stack->push_back(with_tensors(result, back));
}

}  // namespace

std::int64_t strict_operations() {
  return operations;
}

}  // namespace fbt::testing

C10_REGISTER_GUARD_IMPL(PrivateUse1, c10::impl::NoOpDeviceGuardImpl<c10::DeviceType::PrivateUse1>)

TORCH_LIBRARY_IMPL(_, PrivateUse1, library) {
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&fbt::testing::run>());
}
