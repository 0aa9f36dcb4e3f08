#include "harness/decode/pass_stream.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>

#include "base/error.h"
#include "harness/decode/checkpoint_text.h"
#include "harness/decode/device/transfer.h"
#include "harness/decode/engine_setup.h"
#include "harness/decode/inference_model.h"
#include "harness/decode/request_tokens.h"
#include "harness/model/checkpoint.h"

namespace fbt {
namespace {

using Sequences = std::span<const std::vector<int>>;

// Consecutive tokens of some sequences, one after the other without padding.
struct Packed {
  std::vector<int> tokens;
  std::vector<std::int64_t> first_rows;  // of each sequence
  std::vector<std::int64_t> counts;

  void add(std::span<const int> part) {
    first_rows.push_back(static_cast<std::int64_t>(tokens.size()));
    counts.push_back(static_cast<std::int64_t>(part.size()));
    tokens.insert(tokens.end(), part.begin(), part.end());
  }
  std::int64_t last_row(std::size_t sequence) const {
    return first_rows[sequence] + counts[sequence] - 1;
  }
};

class TorchPassStream : public PassStream {
 public:
  explicit TorchPassStream(const TorchBackendOptions& options)
      : batch_tokens_(options.batch_tokens),
        checkpoint_(open_checkpoint(options.checkpoint, options.weight_seed)),
        text_(options, checkpoint_),
        model_(make_model(options, checkpoint_)),
        pool_(make_pool(options, *model_)) {}

  void run(Sequences sequences, int steps, const PassSink& sink) override {
    const c10::NoGradGuard no_grad;
    check(sequences, 2, steps > 0);
    for (std::size_t begin = 0; begin < sequences.size();) {
      const std::size_t end = pack_end(sequences, begin);
      if (!run_pack(sequences.subspan(begin, end - begin), begin, steps, sink)) return;
      begin = end;
    }
  }

  std::vector<float> last_residuals(Sequences sequences,
                                    const PrefillCondition& condition) override {
    const c10::NoGradGuard no_grad;
    check(sequences, condition.suffix + 1, condition.feedback_steps > 0 || condition.suffix > 0);
    std::vector<float> all;
    for (std::size_t begin = 0; begin < sequences.size();) {
      const std::size_t end = pack_end(sequences, begin);
      const Sequences pack = sequences.subspan(begin, end - begin);
      const at::Tensor residuals = condition.suffix > 0
                                       ? suffix_residuals(pack, condition.suffix)
                                       : prefill_residuals(pack, condition.feedback_steps);
      const at::Tensor floats = residuals.to(at::kCPU, at::kFloat).contiguous();
      all.insert(all.end(), floats.data_ptr<float>(), floats.data_ptr<float>() + floats.numel());
      begin = end;
    }
    return all;
  }

  bool has_feedback() const override { return checkpoint_.has_feedback(); }
  int context_length() const override {
    return static_cast<int>(checkpoint_.config.max_position_embeddings);
  }
  int layers() const override { return static_cast<int>(checkpoint_.config.num_hidden_layers); }
  int hidden_size() const override { return static_cast<int>(checkpoint_.config.hidden_size); }
  std::vector<int> tokenize(std::string_view text) const override {
    return text_.tokens().encode(text);
  }

 private:
  void check(Sequences sequences, int shortest, bool fused) const {
    if (fused && !has_feedback()) {
      throw InputError(
          fmt::format("the checkpoint {} has no feedback weights: only its plain pass "
                      "(0 feedback steps) can run",
                      checkpoint_.facts.name));
    }
    for (std::size_t i = 0; i < sequences.size(); ++i) {
      const auto length = static_cast<int>(sequences[i].size());
      if (length < shortest || length > context_length()) {
        throw InputError(fmt::format("sequence {} has {} tokens; expected {} to {}", i, length,
                                     shortest, context_length()));
      }
      check_token_ids(sequences[i], checkpoint_.config.vocab_size);
    }
  }

  std::size_t pack_end(Sequences sequences, std::size_t begin) const {
    std::size_t end = begin;
    std::int64_t tokens = 0;
    while (end < sequences.size()) {
      tokens += static_cast<std::int64_t>(sequences[end].size());
      if (end > begin && tokens > batch_tokens_) break;
      ++end;
    }
    return end;
  }

  std::vector<KvSequence> new_caches(std::size_t count) {
    return std::vector<KvSequence>(count, KvSequence(&pool_));
  }

  // Goes on with every sequence from where its cache ends.
  at::Tensor forward(const Packed& packed, const at::Tensor& inputs,
                     std::vector<KvSequence>& caches, const ResidualObserver& observer = {}) {
    std::vector<TokenRun> runs;
    for (std::size_t i = 0; i < caches.size(); ++i) {
      const std::int64_t position = caches[i].length();
      caches[i].append(packed.counts[i], packed.counts[i]);
      runs.push_back({packed.first_rows[i], packed.counts[i], &caches[i], position});
    }
    return model_->forward(inputs, runs, profile_, observer);
  }

  at::Tensor plain_pass(const Packed& packed, const at::Tensor& embeddings,
                        const ResidualObserver& observer = {}) {
    std::vector<KvSequence> caches = new_caches(packed.counts.size());
    return forward(packed, model_->plain_inputs(embeddings), caches, observer);
  }

  // `states` of the pass before; position 0 of every sequence is plain.
  at::Tensor fused_pass(const Packed& packed, const at::Tensor& embeddings,
                        const at::Tensor& states, const ResidualObserver& observer = {}) {
    at::Tensor previous = at::empty_like(states);
    previous.narrow(0, 1, states.size(0) - 1).copy_(states.narrow(0, 0, states.size(0) - 1));
    std::vector<std::uint8_t> plain = bos_positions(packed.tokens);
    for (const std::int64_t row : packed.first_rows) {
      previous[row].zero_();
      plain[static_cast<std::size_t>(row)] = 1;
    }
    std::vector<KvSequence> caches = new_caches(packed.counts.size());
    const at::Tensor inputs = model_->fused_inputs(previous, embeddings, flags(plain));
    return forward(packed, inputs, caches, observer);
  }

  std::vector<std::uint8_t> bos_positions(const std::vector<int>& tokens) const {
    std::vector<std::uint8_t> plain(tokens.size(), 0);
    const auto bos = checkpoint_.config.bos_token_id;
    for (std::size_t t = 0; bos && t < tokens.size(); ++t) plain[t] = tokens[t] == *bos ? 1 : 0;
    return plain;
  }

  at::Tensor embed(const std::vector<int>& tokens) const {
    return model_->embed(tokens_to_device(tokens, model_->device()));
  }
  at::Tensor flags(const std::vector<std::uint8_t>& plain) const {
    return to_device(std::span(plain), model_->device());
  }
  at::Tensor indices(const std::vector<std::int64_t>& rows) const {
    return to_device(std::span(rows), model_->device());
  }

  bool run_pack(Sequences sequences, std::size_t first, int steps, const PassSink& sink) {
    Packed packed;
    for (const std::vector<int>& sequence : sequences) packed.add(sequence);
    const at::Tensor embeddings = embed(packed.tokens);
    at::Tensor states = plain_pass(packed, embeddings);
    std::vector<PassFigures> figures = figures_of(packed, states, std::nullopt);
    bool go_on = report(figures, first, 0, sink);
    for (int step = 1; step <= steps && go_on; ++step) {
      if (!stands_still(figures, step)) {
        const at::Tensor next = fused_pass(packed, embeddings, states);
        figures = figures_of(packed, next, states);
        states = next;
      }
      go_on = report(figures, first, step, sink);
    }
    return go_on;
  }

  static bool stands_still(const std::vector<PassFigures>& figures, int step) {
    return step > 1 && std::all_of(figures.begin(), figures.end(),
                                   [](const PassFigures& one) { return one.change_sum == 0; });
  }

  static bool report(const std::vector<PassFigures>& figures, std::size_t first, int step,
                     const PassSink& sink) {
    bool go_on = true;
    for (std::size_t i = 0; i < figures.size(); ++i) go_on &= sink(first + i, step, figures[i]);
    return go_on;
  }

  std::vector<PassFigures> figures_of(const Packed& packed, const at::Tensor& states,
                                      const std::optional<at::Tensor>& before) {
    std::vector<PassFigures> figures(packed.counts.size());
    std::vector<ScoredToken> wanted;
    std::vector<std::size_t> owner;
    at::Tensor moved;  // [T]
    if (before) {
      moved = (states.to(at::kDouble) - before->to(at::kDouble)).norm(2, 1).cpu();
    }
    for (std::size_t i = 0; i < figures.size(); ++i) {
      for (std::int64_t row = packed.first_rows[i]; row < packed.last_row(i); ++row) {
        wanted.push_back({row, packed.tokens[static_cast<std::size_t>(row) + 1]});
        owner.push_back(i);
      }
      if (before) {
        figures[i].change_sum =
            moved.narrow(0, packed.first_rows[i], packed.counts[i]).sum().item<double>();
      }
    }
    const std::vector<ChosenToken> scored = model_->score(states, wanted, profile_)();
    for (std::size_t i = 0; i < scored.size(); ++i) {
      figures[owner[i]].loss_sum -= scored[i].log_likelihood;
    }
    return figures;
  }

  // Collects the rows of last positions layer by layer: [L+1] of [sequences, D].
  ResidualObserver collect_last(const Packed& packed, std::vector<at::Tensor>& collected) const {
    std::vector<std::int64_t> rows;
    for (std::size_t i = 0; i < packed.counts.size(); ++i) rows.push_back(packed.last_row(i));
    return [index = indices(rows), &collected](const at::Tensor& residual) {
      collected.push_back(residual.index_select(0, index));
    };
  }

  // [sequences, L+1, D]
  at::Tensor prefill_residuals(Sequences sequences, int feedback_steps) {
    Packed packed;
    for (const std::vector<int>& sequence : sequences) packed.add(sequence);
    std::vector<at::Tensor> collected;
    const ResidualObserver observer = collect_last(packed, collected);
    const auto observer_at = [&](int step) {
      return step == feedback_steps ? observer : ResidualObserver{};
    };
    const at::Tensor embeddings = embed(packed.tokens);
    at::Tensor states = plain_pass(packed, embeddings, observer_at(0));
    for (int step = 1; step <= feedback_steps; ++step) {
      states = fused_pass(packed, embeddings, states, observer_at(step));
    }
    return at::stack(collected, 1);
  }

  at::Tensor suffix_residuals(Sequences sequences, int suffix) {
    Packed prefix;
    for (const std::vector<int>& sequence : sequences) {
      prefix.add(std::span(sequence).first(sequence.size() - static_cast<std::size_t>(suffix)));
    }
    std::vector<std::int64_t> last_rows;
    for (std::size_t i = 0; i < sequences.size(); ++i) last_rows.push_back(prefix.last_row(i));
    std::vector<KvSequence> caches = new_caches(sequences.size());
    at::Tensor states = forward(prefix, model_->plain_inputs(embed(prefix.tokens)), caches)
                            .index_select(0, indices(last_rows));  // [sequences, D]
    std::vector<at::Tensor> collected;
    for (int left = suffix; left > 0; --left) {
      Packed next;
      for (const std::vector<int>& sequence : sequences) {
        next.add(std::span(sequence).last(static_cast<std::size_t>(left)).first(1));
      }
      const at::Tensor inputs =
          model_->fused_inputs(states, embed(next.tokens), flags(bos_positions(next.tokens)));
      states = forward(next, inputs, caches,
                       left == 1 ? collect_last(next, collected) : ResidualObserver{});
    }
    return at::stack(collected, 1);
  }

  std::int64_t batch_tokens_;
  Checkpoint checkpoint_;
  CheckpointText text_;
  std::unique_ptr<InferenceModel> model_;
  KvPool pool_;
  Profile profile_;
};

}  // namespace

std::unique_ptr<PassStream> make_pass_stream(const TorchBackendOptions& options) {
  set_up_engine(options);
  return std::make_unique<TorchPassStream>(options);
}

}  // namespace fbt
