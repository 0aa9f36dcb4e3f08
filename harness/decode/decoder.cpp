#include "harness/decode/decoder.h"

#include <utility>

#include <ATen/ATen.h>

#include "harness/decode/token_chooser.h"

namespace fbt {
namespace {

// Positions a row's tail grows by at a time.
constexpr std::int64_t kTailBlock = 64;

}  // namespace

void Decoder::add(std::shared_ptr<const PrefixState> prefix, int pass, bool fused,
                  std::int64_t reserved_bytes, std::unique_ptr<RowClient> client) {
  const PassState& from = (*prefix)[static_cast<std::size_t>(pass)];
  rows_.push_back({from.cache, from.last_state, fused, reserved_bytes, std::move(client)});
}

std::int64_t Decoder::reserved_bytes() const {
  std::int64_t sum = 0;
  for (const Row& row : rows_) sum += row.reserved_bytes;
  return sum;
}

void Decoder::step() {
  const std::vector<ChosenToken> chosen = choose();
  chosen_tokens_ += chosen.size();
  std::vector<int> tokens;
  std::vector<Row> going_on;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (!rows_[r].client->accept(chosen[r])) continue;
    tokens.push_back(chosen[r].token);
    going_on.push_back(std::move(rows_[r]));
  }
  rows_ = std::move(going_on);
  if (!rows_.empty()) advance(tokens);
}

std::vector<ChosenToken> Decoder::choose() {
  std::vector<at::Tensor> states;
  std::vector<TokenChoice> choices;
  for (Row& row : rows_) {
    states.push_back(row.state);
    choices.push_back(row.client->next_choice());
  }
  return choose_tokens(model_, at::stack(states), choices, profile_);
}

void Decoder::advance(const std::vector<int>& tokens) {
  const Profile::Timer timer(profile_, EngineStage::kDecode);
  const at::Tensor embeddings = model_.embed(tokens);
  std::vector<std::uint8_t> plain(rows_.size());
  std::vector<at::Tensor> states;
  std::vector<TokenRun> runs;
  bool any_fused = false;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    Row& row = rows_[r];
    const bool bos = model_.config().bos_token_id && tokens[r] == *model_.config().bos_token_id;
    plain[r] = row.fused && !bos ? 0 : 1;
    any_fused = any_fused || plain[r] == 0;
    states.push_back(row.state);
    const std::int64_t position = row.cache.length();
    row.cache.drop_expired();
    row.cache.append(1, kTailBlock);
    runs.push_back({static_cast<std::int64_t>(r), 1, &row.cache, position});
  }
  const at::Tensor inputs = any_fused ? model_.fused_inputs(at::stack(states), embeddings, plain)
                                      : model_.plain_inputs(embeddings);
  computed_tokens_ += tokens.size();
  const at::Tensor next = model_.forward(inputs, runs, profile_);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    rows_[r].state = next[static_cast<std::int64_t>(r)];
  }
}

}  // namespace fbt
