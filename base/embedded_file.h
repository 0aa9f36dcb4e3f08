#pragma once

// Files that are part of the program (cmake/FbtEmbed.cmake).

#include <span>
#include <string_view>

namespace fbt {

struct EmbeddedFile {
  std::string_view name;     // relative path, with '/'
  std::string_view content;  // lives as long as the program
};

}  // namespace fbt
