#pragma once

// Joining results files: shards of a run, runs of several machines.

#include <cstdint>
#include <filesystem>
#include <span>

namespace fbt::results {

struct MergeOptions {
  // Keep runs of one task and mode under different settings beside each other.
  bool several_plans = false;
  // Join parts of a run that different versions of the program scored.
  bool mixed_versions = false;
};

// How many of each the inputs brought that the output did not have.
struct MergeCounts {
  std::int64_t runs = 0;
  std::int64_t documents = 0;
  std::int64_t generations = 0;
  std::int64_t choices = 0;
  std::int64_t experiments = 0;
};

// Adds everything in `inputs` to `output`, which is made where it is absent.
// One transaction: however it ends, `output` holds all of it or is as it was.
// What is there already and equal is left alone, so merging twice changes nothing.
//
// Throws InputError, naming the two files and what differs, where
//  - a checkpoint has runs of a task in a mode under different plans, and
//    neither file has the other's (unless several_plans);
//  - the parts of a run were made by different program versions (unless
//    mixed_versions) or plan another number of documents;
//  - a checkpoint's train_tokens, average_passes, family or stage differ;
//  - a document is in both with another prompt, answer, verdict or score;
// and Store's errors for files that are none.
MergeCounts merge(const std::filesystem::path& output,
                  std::span<const std::filesystem::path> inputs, const MergeOptions& options = {});

}  // namespace fbt::results
