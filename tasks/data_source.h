#pragma once

// Where the files of data sets come from: a folder, or the samples that are
// embedded in the program. Both have the same relative layout
// ("gsm8k/test.jsonl"), described in docs/tasks.md.

#include <filesystem>
#include <string>
#include <string_view>

namespace fbt::tasks {

class DataSource {
 public:
  // "samples", or a folder. Reads nothing yet.
  explicit DataSource(const std::string& samples_or_folder);

  bool is_samples() const { return folder_.empty(); }
  bool has(std::string_view file) const;

  // The file's content; where it is absent, FILE.gz decompressed. Throws
  // InputError that names the command which brings the file.
  std::string read(std::string_view file) const;

  // For messages: the path, or "samples:FILE".
  std::string display_name(std::string_view file) const;

 private:
  std::filesystem::path folder_;  // empty: samples
};

// $FBT_DATA, else $XDG_DATA_HOME/fbt-eval, else ~/.local/share/fbt-eval.
std::filesystem::path default_data_folder();

}  // namespace fbt::tasks
