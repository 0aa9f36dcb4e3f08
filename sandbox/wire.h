#pragma once

// What the pool and a worker process say to each other, over a stream socket
// between processes of the same machine and the same build: plain structs, each
// followed by the bytes whose lengths it names.
//
//   pool → worker   Settings + filter of tier 1 + filter of tier 2 and 3
//   worker → pool   Hello
//   then, program by program:
//   pool → worker   Request + source + standard input
//   worker → pool   Reply + detail + output

#include <cstdint>

namespace fbt::sandbox::wire {

// Descriptors that a worker process finds open when it starts.
inline constexpr int kControlFd = 3;  // the socket
inline constexpr int kModuleFd = 4;   // memfd with the runner's extension module

struct Settings {
  std::int32_t harness_pid;
  std::int32_t strongest_tier;  // 1..3, as Tier
  std::int32_t allow_no_jail;   // whether tier 3 may be used
  std::uint32_t processes;      // limits of the worker's cgroups
  std::uint64_t memory_bytes;
  std::uint64_t scratch_bytes;
  std::uint64_t namespace_filter_bytes;  // seccomp programs: arrays of sock_filter
  std::uint64_t shared_filter_bytes;
};

struct Hello {
  std::int32_t tier;  // 0: no jail could be built, `reason` says why
  std::int32_t memory_cgroup;
  std::int32_t pids_cgroup;
  char python_version[32];
  char reason[512];  // why no stronger tier
};

struct Request {
  double wall_seconds;
  std::uint64_t memory_bytes;
  std::uint64_t output_bytes;
  std::uint64_t scratch_bytes;
  std::uint32_t processes;
  std::uint64_t source_bytes;
  std::uint64_t stdin_bytes;
};

struct Reply {
  std::int32_t kind;  // VerdictKind
  std::int32_t signal;
  std::int32_t system_call;  // the forbidden one, -1 where it is not known
  double wall_seconds;
  double cpu_seconds;
  std::uint64_t detail_bytes;
  std::uint64_t output_bytes;
};

}  // namespace fbt::sandbox::wire
