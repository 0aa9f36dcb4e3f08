#include "tests/sandbox/support.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <thread>

#include <unistd.h>

#include "base/error.h"

namespace fbt::sandbox {
namespace {

namespace fs = std::filesystem;

std::string proc_file(pid_t process, const char* name) {
  std::ifstream stream("/proc/" + std::to_string(process) + "/" + name);
  std::ostringstream content;
  content << stream.rdbuf();
  return content.str();
}

// Parent of every process: the second field after the parenthesised name.
std::map<pid_t, pid_t> parents() {
  std::map<pid_t, pid_t> all;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const pid_t process = std::stoi(name);
    const std::string stat = proc_file(process, "stat");
    const std::size_t after = stat.rfind(')');
    if (after == std::string::npos) continue;
    std::istringstream fields(stat.substr(after + 1));
    std::string state;
    pid_t parent = 0;
    fields >> state >> parent;
    all[process] = parent;
  }
  return all;
}

}  // namespace

Options test_options(Tier tier) {
  Options options;
  options.workers = 2;
  options.strongest = tier;
  options.limits.wall_seconds = 60;
  options.limits.memory_bytes = 512 << 20;
  options.limits.processes = 32;
  return options;
}

Limits short_limits() {
  Limits limits = test_options().limits;
  limits.wall_seconds = 1;
  return limits;
}

Pool* shared_pool(Tier tier) {
  static std::map<Tier, std::unique_ptr<Pool>> pools;
  if (!pools.contains(tier)) {
    auto pool = std::make_unique<Pool>(test_options(tier));
    if (pool->tier() != tier) {
      pool.reset();
    } else {
      // Workers start with their first program, so both need one at the same time.
      for (int i = 0; i < test_options().workers; ++i) {
        pool->submit({"import time; time.sleep(0.3)", {}, {}}, [](Verdict&&) {});
      }
      pool->wait();
    }
    pools[tier] = std::move(pool);
  }
  return pools[tier].get();
}

std::set<pid_t> descendants(pid_t of) {
  if (of == 0) of = ::getpid();
  const std::map<pid_t, pid_t> all = parents();
  std::set<pid_t> found;
  for (const auto& [process, parent] : all) {
    pid_t ancestor = parent;
    while (ancestor > 1 && ancestor != of && all.contains(ancestor)) ancestor = all.at(ancestor);
    if (ancestor == of) found.insert(process);
  }
  return found;
}

bool eventually(const std::function<bool()>& done) {
  for (int attempt = 0; attempt < 1000; ++attempt) {
    if (done()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

std::size_t open_descriptors(pid_t process) {
  const fs::path folder = "/proc/" + std::to_string(process) + "/fd";
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

std::size_t mounts(pid_t process) {
  const std::string table = proc_file(process, "mountinfo");
  return static_cast<std::size_t>(std::count(table.begin(), table.end(), '\n'));
}

std::size_t resident_bytes(pid_t process) {
  std::istringstream fields(proc_file(process, "statm"));
  std::size_t total = 0;
  std::size_t resident = 0;
  fields >> total >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

std::vector<std::string> cgroups_of(const std::set<pid_t>& processes) {
  std::set<std::string> names;
  for (const pid_t process : processes) names.insert("fbt-sandbox-" + std::to_string(process));
  std::vector<std::string> found;
  std::error_code ignored;
  for (fs::recursive_directory_iterator entry("/sys/fs/cgroup", ignored), end; entry != end;
       entry.increment(ignored)) {
    if (names.contains(entry->path().filename())) found.push_back(entry->path());
  }
  return found;
}

}  // namespace fbt::sandbox
