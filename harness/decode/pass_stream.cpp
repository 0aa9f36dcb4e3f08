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

  std::vector<std::vector<float>> last_residuals(
      Sequences sequences, std::span<const PrefillCondition> conditions) override {
    const c10::NoGradGuard no_grad;
    for (const PrefillCondition& condition : conditions) {
      check(sequences, condition.suffix + 1, condition.feedback_steps > 0 || condition.suffix > 0);
    }
    std::vector<std::vector<float>> all(conditions.size());
    for (std::size_t begin = 0; begin < sequences.size();) {
      const std::size_t end = pack_end(sequences, begin);
      const std::vector<at::Tensor> residuals =
          pack_residuals(sequences.subspan(begin, end - begin), conditions);
      for (std::size_t c = 0; c < conditions.size(); ++c) {
        const at::Tensor floats = residuals[c].to(at::kCPU, at::kFloat).contiguous();
        all[c].insert(all[c].end(), floats.data_ptr<float>(),
                      floats.data_ptr<float>() + floats.numel());
      }
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

  at::Tensor plain_pass(const Packed& packed, const at::Tensor& embeddings) {
    std::vector<KvSequence> caches = new_caches(packed.counts.size());
    return forward(packed, model_->plain_inputs(embeddings), caches);
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

  // Of each condition [sequences, L+1, D].
  std::vector<at::Tensor> pack_residuals(Sequences sequences,
                                         std::span<const PrefillCondition> conditions) {
    Packed packed;
    for (const std::vector<int>& sequence : sequences) packed.add(sequence);
    std::vector<at::Tensor> residuals(conditions.size());
    // What a pass over everything collects goes to the conditions that end with it.
    const auto hand_out = [&](int step, const std::vector<at::Tensor>& collected) {
      for (std::size_t c = 0; c < conditions.size(); ++c) {
        if (conditions[c].suffix > 0 || conditions[c].feedback_steps != step) continue;
        residuals[c] = at::stack(collected, 1);
      }
    };
    int steps = 0;
    for (const PrefillCondition& condition : conditions) {
      if (condition.suffix == 0) steps = std::max(steps, condition.feedback_steps);
    }
    std::vector<at::Tensor> collected;
    at::Tensor states = plain_and_suffixes(sequences, packed, conditions, residuals, collected);
    hand_out(0, collected);
    const at::Tensor embeddings = embed(packed.tokens);
    for (int step = 1; step <= steps; ++step) {
      collected.clear();
      states = fused_pass(packed, embeddings, states, collect_last(packed, collected));
      hand_out(step, collected);
    }
    return residuals;
  }

  // The plain pass, and the suffixes that branch off it: all but the tokens of the
  // longest suffix go together, those one after the other. Returns the states
  // [T,D] in the order of `packed`; `collected` gets the last positions'.
  at::Tensor plain_and_suffixes(Sequences sequences, const Packed& packed,
                                std::span<const PrefillCondition> conditions,
                                std::vector<at::Tensor>& residuals,
                                std::vector<at::Tensor>& collected) {
    int longest = 0;
    for (const PrefillCondition& condition : conditions) {
      longest = std::max(longest, condition.suffix);
    }
    std::vector<KvSequence> caches = new_caches(sequences.size());
    at::Tensor states;
    for (int left = longest; left >= 0; --left) {
      const auto count = [&](std::size_t i) {
        return left == longest ? packed.counts[i] - longest : std::int64_t{1};
      };
      Packed part;
      std::vector<std::int64_t> rows;  // of `packed`
      std::vector<std::int64_t> last;  // of `part`
      for (std::size_t i = 0; i < sequences.size(); ++i) {
        const std::int64_t end = packed.counts[i] - left;
        const std::int64_t begin = end - count(i);
        part.add(
            std::span(sequences[i])
                .subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
        for (std::int64_t t = begin; t < end; ++t) rows.push_back(packed.first_rows[i] + t);
        last.push_back(part.last_row(i));
      }
      const at::Tensor part_states =
          forward(part, model_->plain_inputs(embed(part.tokens)), caches,
                  left == 0 ? collect_last(part, collected) : ResidualObserver{});
      if (!states.defined()) {
        states = at::empty({packed.last_row(sequences.size() - 1) + 1, part_states.size(1)},
                           part_states.options());
      }
      states.index_copy_(0, indices(rows), part_states);
      for (std::size_t c = 0; c < conditions.size(); ++c) {
        if (left == 0 || conditions[c].suffix != left) continue;
        residuals[c] =
            suffix_residuals(sequences, left, caches, part_states.index_select(0, indices(last)));
      }
    }
    return states;
  }

  // [sequences, L+1, D] of the last `suffix` tokens fused one after the other, from
  // forks of the prefixes' caches and from their last states [sequences, D].
  at::Tensor suffix_residuals(Sequences sequences, int suffix, std::vector<KvSequence> caches,
                              at::Tensor states) {
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
