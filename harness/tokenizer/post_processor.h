#pragma once

// What a post-processor adds around a text's ids: here, one id in front at most.

#include <optional>

#include "harness/tokenizer/json_node.h"

namespace fbt::tokenizer {

// The id put in front by `post_processor` (ByteLevel, TemplateProcessing or a
// Sequence of them). Throws InputError, naming what is not supported.
std::optional<int> read_bos(const JsonNode& node);

}  // namespace fbt::tokenizer
