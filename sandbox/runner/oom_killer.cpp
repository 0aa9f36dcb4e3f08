#include "sandbox/runner/oom_killer.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <tuple>

#include <fcntl.h>
#include <unistd.h>

namespace fbt::sandbox::runner {
namespace {

// In thousandths of the memory that the cgroup may use (or that the machine has): a
// program counts as so much larger, which is more than a worker's own process takes
// of it. Not by all of it: where the machine itself is short of memory, what took
// the most still goes first.
constexpr int kHandicap = 100;
constexpr int kMostAdjustment = 1000;

int number_in(const Descriptor& file) {
  char text[16] = {};
  return file && ::pread(file.number(), text, sizeof text - 1, 0) > 0 ? std::atoi(text) : 0;
}

}  // namespace

OomKiller::OomKiller(const std::string& kills_file)
    : kills_(kills_file.empty() ? -1 : ::open(kills_file.c_str(), O_RDONLY | O_CLOEXEC)),
      adjustment_(::open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC)),
      own_(std::to_string(number_in(adjustment_))),
      childrens_(std::to_string(std::min(number_in(adjustment_) + kHandicap, kMostAdjustment))) {}

long OomKiller::kills() const {
  char text[512];
  const ssize_t size = kills_ ? ::pread(kills_.number(), text, sizeof text - 1, 0) : 0;
  if (size <= 0) return 0;
  text[size] = '\0';
  const char* found = std::strstr(text, "oom_kill ");
  return found == nullptr ? 0 : std::atol(found + std::strlen("oom_kill "));
}

void OomKiller::choose_children(bool first) const {
  const std::string& value = first ? childrens_ : own_;
  if (adjustment_) {
    std::ignore = ::pwrite(adjustment_.number(), value.data(), value.size(), 0);
  }
}

}  // namespace fbt::sandbox::runner
