#include "results/merge/merge.h"

#include <vector>

#include "results/merge/copy.h"
#include "results/merge/fit.h"
#include "results/store/open.h"

namespace fbt::results {
namespace {

// Everything that can be refused before a row is copied.
void require_all_fit(const std::vector<FileRuns>& files, const MergeOptions& options) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) require_fit(files[j], files[i], options);
  }
}

MergeCounts copy_all(Database& target, const std::vector<FileRuns>& sources) {
  Transaction transaction(target);
  MergeCounts counts;
  for (const FileRuns& source : sources) {
    copy_runs(source, *open_for_reading(source.path), target, counts);
  }
  transaction.commit();
  return counts;
}

}  // namespace

MergeCounts merge(const std::filesystem::path& output,
                  std::span<const std::filesystem::path> inputs, const MergeOptions& options) {
  std::vector<FileRuns> sources;
  for (const auto& path : inputs) sources.push_back(runs_of(Store(path, OpenMode::kRead)));
  const bool is_new = !std::filesystem::exists(output);
  std::vector<FileRuns> all;
  if (!is_new) all.push_back(runs_of(Store(output, OpenMode::kWrite)));
  all.insert(all.end(), sources.begin(), sources.end());
  require_all_fit(all, options);
  try {
    return copy_all(*open_for_writing(output), sources);
  } catch (...) {
    std::error_code ignored;
    if (is_new) std::filesystem::remove(output, ignored);
    throw;
  }
}

}  // namespace fbt::results
