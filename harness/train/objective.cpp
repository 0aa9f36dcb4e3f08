#include "harness/train/objective.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

#include "base/random.h"
#include "harness/train/prefix_mixin.h"
#include "harness/train/token_loss.h"

namespace fbt::train {
namespace {

// bool [B,T]: positions inside each row's plain prefix.
at::Tensor inside_prefix(const std::vector<std::int64_t>& prefixes, const at::Tensor& tokens) {
  const at::Tensor length = at::tensor(prefixes, at::kLong).to(tokens.device()).unsqueeze(1);
  return at::arange(tokens.size(1), tokens.options()).unsqueeze(0) < length;
}

// Drawn on the CPU, so that every device sees the same numbers.
at::Tensor noise_like(const at::Tensor& states, std::uint64_t key) {
  const at::Generator generator = at::detail::createCPUGenerator(key);
  return at::randn(states.sizes(), generator, at::TensorOptions(at::kFloat)).to(states.options());
}

}  // namespace

Objective multi_pass_objective(const Transformer& model, const at::Tensor& tokens,
                               const at::Tensor& targets, const ObjectiveOptions& options) {
  const KeyedRandom keys(options.key);
  const at::Tensor embeddings = model.embed(tokens);               // [B,T,D]
  const at::Tensor bos_positions = model.plain_positions(tokens);  // [B,T]
  Objective objective;
  at::Tensor states;
  for (int pass = 0; pass < options.passes; ++pass) {
    at::Tensor inputs = embeddings;
    if (pass > 0) {
      const auto number = static_cast<std::uint64_t>(pass);
      const at::Tensor fed_back =
          options.jitter > 0 ? states + noise_like(states, keys.bits(number, 0)) * options.jitter
                             : states;
      const std::vector<std::int64_t> prefixes = draw_plain_prefixes(
          tokens.size(0), tokens.size(1), options.prefix_share, keys.bits(number, 1));
      inputs = model.fused_pass_inputs(embeddings, fed_back,
                                       bos_positions.logical_or(inside_prefix(prefixes, tokens)));
    }
    states = model.pass(inputs);  // [B,T,D]
    const TokenLosses losses = token_losses(model.logits(states), targets);
    const at::Tensor cross_entropy = losses.cross_entropy.mean();
    objective.cross_entropy.push_back(cross_entropy.detach());
    at::Tensor loss = cross_entropy;
    if (options.z_loss > 0) loss = loss + losses.log_partition.square().mean() * options.z_loss;
    loss = loss / options.passes;
    objective.loss = pass == 0 ? loss : objective.loss + loss;
  }
  objective.state_norm = states.detach().to(at::kFloat).norm(2, -1).mean();
  return objective;
}

}  // namespace fbt::train
