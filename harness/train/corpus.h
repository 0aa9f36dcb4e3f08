#pragma once

// The generated training text as a tokenizer's vocabulary and as packed rows.

#include <cstdint>
#include <string>

#include "harness/tokenizer/tokenizer.h"
#include "harness/train/packing.h"

namespace fbt::train {

// A tokenizer.json of at most `vocab_size` tokens, learned from the first
// documents of the training text of `seed`. Numbers below 1000 are whole tokens
// where they are frequent.
std::string learn_tokenizer(int vocab_size, std::uint64_t seed);

// Rows of the training text of `seed`: BOS, document, EOS, BOS, …. `tokenizer`
// must outlive the rows. Throws InputError if it names no BOS.
PackedRows training_rows(const Tokenizer& tokenizer, std::uint64_t seed, std::int64_t row_tokens);

}  // namespace fbt::train
