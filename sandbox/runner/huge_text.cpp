#include "sandbox/runner/huge_text.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include <sys/mman.h>

#include "sandbox/runner/io.h"

namespace fbt::sandbox::runner {
namespace {

constexpr std::uintptr_t kHugePage = 2U << 20;

struct Range {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};

// The neighbouring mappings around an address that are of one file and that
// nobody writes to. A line of /proc/self/maps: begin-end rwxp offset device inode path.
Range read_only_range(std::string_view maps, std::uintptr_t address) {
  Range range;
  std::string last_path;
  while (!maps.empty()) {
    const std::string line(maps.substr(0, maps.find('\n')));
    maps.remove_prefix(std::min(line.size() + 1, maps.size()));
    unsigned long begin = 0;
    unsigned long end = 0;
    char rights[5] = {};
    char path[256] = {};
    if (std::sscanf(line.c_str(), "%lx-%lx %4s %*s %*s %*s %255s", &begin, &end, rights, path) <
        3) {
      continue;
    }
    const bool read_only =
        rights[0] == 'r' && rights[1] == '-' && rights[3] == 'p' && path[0] == '/';
    if (!read_only || begin != range.end || path != last_path) {
      if (range.begin <= address && address < range.end) return range;
      range = {begin, begin};
    }
    if (read_only) range.end = end;
    last_path = path;
  }
  return range.begin <= address && address < range.end ? range : Range{};
}

}  // namespace

void move_to_huge_pages(const void* code) {
  const Range mapped =
      read_only_range(read_small_file("/proc/self/maps"), reinterpret_cast<std::uintptr_t>(code));
  const std::uintptr_t begin = (mapped.begin + kHugePage - 1) / kHugePage * kHugePage;
  const std::uintptr_t end = mapped.end / kHugePage * kHugePage;
  if (begin >= end) return;
  const std::size_t size = end - begin;
  // With room to align it.
  void* room =
      ::mmap(nullptr, size + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) return;
  const auto room_begin = reinterpret_cast<std::uintptr_t>(room);
  void* copy = reinterpret_cast<void*>((room_begin + kHugePage - 1) / kHugePage * kHugePage);
  if (::madvise(copy, size, MADV_HUGEPAGE) == 0) {
    std::memcpy(copy, reinterpret_cast<const void*>(begin), size);
    if (::mprotect(copy, size, PROT_READ | PROT_EXEC) == 0) {
      // One step, so that what runs meanwhile finds the same bytes at the same place.
      ::mremap(copy, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, reinterpret_cast<void*>(begin));
    }
  }
  ::munmap(room, size + kHugePage);
}

}  // namespace fbt::sandbox::runner
