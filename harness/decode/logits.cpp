#include "harness/decode/logits.h"

#include <map>
#include <utility>

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>

#include "base/error.h"
#include "harness/decode/engine_setup.h"
#include "harness/decode/prefill.h"
#include "harness/decode/sequence_set.h"
#include "harness/model/checkpoint.h"

namespace fbt {
namespace {

void check_rows(const std::vector<std::vector<int>>& rows, const ModelConfig& config) {
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (rows[r].empty() ||
        static_cast<std::int64_t>(rows[r].size()) > config.max_position_embeddings) {
      throw InputError(fmt::format("row {} has {} tokens; expected 1 to {}", r, rows[r].size(),
                                   config.max_position_embeddings));
    }
    for (const int id : rows[r]) {
      if (id < 0 || id >= config.vocab_size) {
        throw InputError(fmt::format("row {} has token id {}, outside the vocabulary of {}", r, id,
                                     config.vocab_size));
      }
    }
  }
}

// [T,V] as numbers.
std::vector<std::vector<double>> to_numbers(const at::Tensor& logits) {
  const at::Tensor wide = logits.to(at::kCPU, at::kDouble).contiguous();
  const auto* values = wide.data_ptr<double>();
  std::vector<std::vector<double>> rows;
  for (std::int64_t t = 0; t < wide.size(0); ++t, values += wide.size(1)) {
    rows.emplace_back(values, values + wide.size(1));
  }
  return rows;
}

}  // namespace

void compute_logits(const TorchBackendOptions& options, const std::vector<std::vector<int>>& rows,
                    int feedback_steps, std::int64_t plain_prefix, const LogitSink& sink) {
  set_up_engine(options);
  const c10::NoGradGuard no_grad;
  const Checkpoint checkpoint = open_checkpoint(options.checkpoint, options.weight_seed);
  check_rows(rows, checkpoint.config);
  if (feedback_steps < 0 || (feedback_steps > 0 && !checkpoint.has_feedback())) {
    throw InputError(fmt::format("--feedback-steps is {}, but the checkpoint {} allows only 0{}",
                                 feedback_steps, checkpoint.facts.name,
                                 checkpoint.has_feedback() ? " or more" : ": no feedback weights"));
  }
  const std::unique_ptr<InferenceModel> model = make_model(options, checkpoint);
  KvPool pool = make_pool(options, *model);
  SequenceSet sequences;
  std::vector<int> sequence_of_row;
  for (const std::vector<int>& row : rows) {
    sequence_of_row.push_back(sequences.add(row, 1 + feedback_steps));
  }
  const PrefixTree tree(sequences.take());
  std::vector<std::vector<at::Tensor>> states(tree.nodes().size());  // last pass, by node
  Prefill::Plan plan;
  plan.plain_prefix = plain_prefix;
  plan.computed = [&](const ComputedPass& computed) {
    if (computed.pass != feedback_steps) return;
    for (const ComputedSlice& slice : computed.slices) {
      states[static_cast<std::size_t>(slice.node)].push_back(
          computed.states.narrow(0, slice.first_row, slice.end - slice.begin));
    }
  };
  plan.ready = [](int, const std::shared_ptr<const PrefixState>&) {};
  Profile profile;
  Prefill prefill(*model, pool, tree, std::move(plan), profile);
  while (!prefill.done()) prefill.step(options.batch_tokens);

  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::vector<std::vector<double>> logits;
    for (std::int64_t position = 0; position < static_cast<std::int64_t>(rows[r].size());) {
      const auto node = static_cast<std::size_t>(tree.node_at(sequence_of_row[r], position));
      for (const at::Tensor& slice : states[node]) {
        for (auto& numbers : to_numbers(model->logits(slice))) logits.push_back(std::move(numbers));
      }
      position = tree.nodes()[node].end();
    }
    sink(r, logits);
  }
}

}  // namespace fbt
