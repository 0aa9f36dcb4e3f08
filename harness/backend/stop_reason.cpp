#include <array>

#include "harness/backend/backend.h"

namespace fbt {

std::string_view stop_reason_name(StopReason reason) {
  constexpr std::array<std::string_view, 4> kNames = {"stop_string", "stop_token", "length",
                                                      "context"};
  return kNames[static_cast<std::size_t>(reason)];
}

}  // namespace fbt
