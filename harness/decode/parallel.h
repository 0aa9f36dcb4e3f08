#pragma once

// Sharing work out to LibTorch's threads.

#include <atomic>
#include <cstdint>

#include <ATen/Parallel.h>

namespace fbt {

// Calls body(begin, end) over parts of [0, rows), each of about `work` elements
// in all or more (so that small batches stay on one thread).
template <typename Body>
void parallel_rows(std::int64_t rows, std::int64_t elements_per_row, const Body& body) {
  constexpr std::int64_t kWorthAThread = 16384;
  const std::int64_t grain = std::max<std::int64_t>(1, kWorthAThread / elements_per_row);
  at::parallel_for(0, rows, grain, body);
}

// Calls body(item, thread) for each item of [0, items), whoever is free next;
// thread < at::get_num_threads().
template <typename Body>
void parallel_items(std::int64_t items, const Body& body) {
  std::atomic<std::int64_t> next{0};
  const std::int64_t threads = std::min<std::int64_t>(items, at::get_num_threads());
  at::parallel_for(0, threads, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t thread = begin; thread < end; ++thread) {
      for (std::int64_t item = next++; item < items; item = next++) body(item, thread);
    }
  });
}

}  // namespace fbt
