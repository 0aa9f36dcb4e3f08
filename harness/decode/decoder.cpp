#include "harness/decode/decoder.h"

#include <utility>

#include <ATen/ATen.h>

#include "harness/decode/device/transfer.h"

namespace fbt {
namespace {

// Positions a row's tail grows by at a time.
constexpr std::int64_t kTailBlock = 64;

}  // namespace

void Decoder::add(std::shared_ptr<const PrefixState> prefix, int pass, bool fused,
                  std::int64_t limit, std::int64_t reserved_bytes,
                  std::unique_ptr<RowClient> client) {
  const PassState& from = (*prefix)[static_cast<std::size_t>(pass)];
  active_.push_back(
      std::make_shared<Row>(Row{from.cache, fused, limit, reserved_bytes, std::move(client)}));
  new_states_.push_back(from.last_state);
}

std::int64_t Decoder::reserved_bytes() const {
  std::int64_t sum = 0;
  for (const Rows* rows : {&active_, &ending_}) {
    for (const auto& row : *rows) sum += row->reserved_bytes;
  }
  return sum;
}

void Decoder::step() {
  at::Tensor tokens;  // [active]
  if (!active_.empty()) {
    PendingTokens chosen = choose();
    tokens = chosen.tokens;
    ahead_.push_back({active_, std::move(chosen.wait)});
  }
  // Without active rows nothing is gained by waiting.
  const std::size_t may_wait = active_.empty() ? 0 : static_cast<std::size_t>(model_.steps_ahead());
  while (ahead_.size() > may_wait) {
    take_in(std::move(ahead_.front()));
    ahead_.pop_front();
  }
  std::erase_if(ending_, [](const auto& row) { return row->ended; });
  std::vector<std::int64_t> going_on;
  for (std::size_t r = 0; r < active_.size(); ++r) {
    if (active_[r]->ended) continue;
    if (active_[r]->chosen < active_[r]->limit) {
      going_on.push_back(static_cast<std::int64_t>(r));
    } else {
      ending_.push_back(active_[r]);
    }
  }
  advance(tokens, going_on);
}

PendingTokens Decoder::choose() {
  if (!new_states_.empty()) {
    const at::Tensor added = at::stack(new_states_);
    states_ = states_.defined() ? at::cat({states_, added}) : added;
    new_states_.clear();
  }
  std::vector<TokenChoice> choices;
  for (const auto& row : active_) choices.push_back(row->client->next_choice(row->chosen++));
  return model_.choose(states_, choices, profile_);
}

void Decoder::take_in(Step step) {
  const std::vector<ChosenToken> chosen = step.wait();
  for (std::size_t r = 0; r < step.rows.size(); ++r) {
    Row& row = *step.rows[r];
    if (row.ended) continue;
    ++chosen_tokens_;
    row.ended = !row.client->accept(chosen[r]);
  }
}

void Decoder::advance(const at::Tensor& tokens, const std::vector<std::int64_t>& going_on) {
  Rows rows;
  for (const std::int64_t r : going_on) rows.push_back(active_[static_cast<std::size_t>(r)]);
  const bool all_go_on = rows.size() == active_.size();
  active_ = std::move(rows);
  if (active_.empty()) {
    states_ = at::Tensor();
    return;
  }
  const Profile::Timer timer(profile_, EngineStage::kDecode);
  std::vector<std::uint8_t> plain_rows;
  std::vector<TokenRun> runs;
  bool any_fused = false;
  for (const auto& row : active_) {
    plain_rows.push_back(row->fused ? 0 : 1);
    any_fused = any_fused || row->fused;
    const std::int64_t position = row->cache.length();
    row->cache.drop_expired();
    row->cache.append(1, kTailBlock);
    runs.push_back({static_cast<std::int64_t>(runs.size()), 1, &row->cache, position});
  }
  at::Tensor inputs_of = tokens;
  if (!all_go_on) {
    const at::Tensor kept = to_device(std::span<const std::int64_t>(going_on), model_.device());
    inputs_of = tokens.index_select(0, kept);
    states_ = states_.index_select(0, kept);
  }
  const at::Tensor embeddings = model_.embed(inputs_of);
  at::Tensor inputs;
  if (any_fused) {
    at::Tensor plain = to_device(std::span<const std::uint8_t>(plain_rows), model_.device());
    if (const auto bos = model_.config().bos_token_id) plain = plain.logical_or(inputs_of == *bos);
    inputs = model_.fused_inputs(states_, embeddings, plain);
  } else {
    inputs = model_.plain_inputs(embeddings);
  }
  computed_tokens_ += active_.size();
  states_ = model_.forward(inputs, runs, profile_);
}

}  // namespace fbt
