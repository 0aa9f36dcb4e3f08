#include "harness/decode/score_windows.h"

#include <algorithm>
#include <cstddef>

namespace fbt {
namespace {

constexpr std::size_t kFirstWindow = 64;
constexpr std::size_t kLargestWindow = 4096;
constexpr std::size_t kGrowth = 4;

}  // namespace

std::vector<std::span<const ScoreRequest>> score_windows(std::span<const ScoreRequest> requests) {
  std::vector<std::span<const ScoreRequest>> windows;
  std::size_t size = kFirstWindow;
  for (std::size_t begin = 0; begin < requests.size();
       size = std::min(size * kGrowth, kLargestWindow)) {
    std::size_t end = std::min(begin + size, requests.size());
    while (end < requests.size() && requests[end].context == requests[end - 1].context) ++end;
    windows.push_back(requests.subspan(begin, end - begin));
    begin = end;
  }
  return windows;
}

}  // namespace fbt
