#include "harness/decode/request_windows.h"

#include <algorithm>
#include <cstddef>

namespace fbt {
namespace {

constexpr std::size_t kFirstWindow = 64;
constexpr std::size_t kLargestWindow = 4096;
constexpr std::size_t kGrowth = 4;

bool same_prompt(const ScoreRequest& a, const ScoreRequest& b) {
  return a.context == b.context;
}

bool same_prompt(const GenerateRequest& a, const GenerateRequest& b) {
  return a.prompt == b.prompt && a.prompt_tokens == b.prompt_tokens;
}

template <typename Request>
std::vector<std::span<const Request>> windows_of(std::span<const Request> requests) {
  std::vector<std::span<const Request>> windows;
  std::size_t size = kFirstWindow;
  for (std::size_t begin = 0; begin < requests.size();
       size = std::min(size * kGrowth, kLargestWindow)) {
    std::size_t end = std::min(begin + size, requests.size());
    while (end < requests.size() && same_prompt(requests[end], requests[end - 1])) ++end;
    windows.push_back(requests.subspan(begin, end - begin));
    begin = end;
  }
  return windows;
}

}  // namespace

std::vector<std::span<const ScoreRequest>> request_windows(std::span<const ScoreRequest> requests) {
  return windows_of(requests);
}

std::vector<std::span<const GenerateRequest>> request_windows(
    std::span<const GenerateRequest> requests) {
  return windows_of(requests);
}

}  // namespace fbt
