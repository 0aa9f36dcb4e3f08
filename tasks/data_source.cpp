#include "tasks/data_source.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "tasks/embedded.h"

namespace fbt::tasks {
namespace {

constexpr std::string_view kSamples = "samples";

const EmbeddedFile* find_sample(std::string_view file) {
  const auto samples = sample_files();
  const auto found = std::find_if(samples.begin(), samples.end(),
                                  [&](const EmbeddedFile& sample) { return sample.name == file; });
  return found == samples.end() ? nullptr : &*found;
}

// The data sets that have samples: the folders of their files.
std::string sampled_data_sets() {
  std::string names;
  for (const EmbeddedFile& sample : sample_files()) {
    const std::string name(sample.name.substr(0, sample.name.find('/')));
    if (names.find(name) == std::string::npos) names += (names.empty() ? "" : ", ") + name;
  }
  return names;
}

}  // namespace

DataSource::DataSource(const std::string& samples_or_folder)
    : folder_(samples_or_folder == kSamples ? "" : samples_or_folder) {}

bool DataSource::has(std::string_view file) const {
  const std::filesystem::path path(file);
  if (is_samples() && path.is_relative()) return find_sample(file) != nullptr;
  const std::filesystem::path full = folder_ / path;
  return std::filesystem::exists(full) || std::filesystem::exists(full.string() + ".gz");
}

std::string DataSource::read(std::string_view file) const {
  const std::filesystem::path path(file);
  if (is_samples() && path.is_relative()) {
    if (const EmbeddedFile* sample = find_sample(file)) return std::string(sample->content);
    throw InputError(fmt::format("there are no samples of {}, only of {}; use --data DIR", file,
                                 sampled_data_sets()));
  }
  const std::filesystem::path full = folder_ / path;
  if (std::filesystem::exists(full)) return read_file(full);
  if (std::filesystem::exists(full.string() + ".gz")) return read_file(full.string() + ".gz");
  // A definition of the user's own names files that nothing fetches.
  if (path.is_absolute()) throw InputError(fmt::format("{} is missing", full.string()));
  throw InputError(fmt::format("{} is missing; bring it with: fbt-eval data fetch {} --data {}",
                               full.string(), path.begin()->string(), folder_.string()));
}

std::string DataSource::display_name(std::string_view file) const {
  const std::filesystem::path path(file);
  if (is_samples() && path.is_relative()) return fmt::format("{}:{}", kSamples, file);
  return (folder_ / path).string();
}

std::filesystem::path default_data_folder() {
  if (const char* folder = std::getenv("FBT_DATA"); folder && *folder) return folder;
  if (const char* folder = std::getenv("XDG_DATA_HOME"); folder && *folder) {
    return std::filesystem::path(folder) / "fbt-eval";
  }
  const char* home = std::getenv("HOME");
  return std::filesystem::path(home && *home ? home : ".") / ".local" / "share" / "fbt-eval";
}

}  // namespace fbt::tasks
