#pragma once

// The data files that are part of the program.

#include <span>
#include <string_view>

#include "base/embedded_file.h"

namespace fbt::tasks {

// tasks/definitions/*.json.
std::span<const EmbeddedFile> definition_files();

// tasks/samples, with the layout of a data folder.
std::span<const EmbeddedFile> sample_files();

std::string_view groups_json();
std::string_view chat_formats_json();

}  // namespace fbt::tasks
