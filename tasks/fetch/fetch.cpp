#include "tasks/fetch/fetch.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json_lines.h"
#include "base/sha256.h"
#include "tasks/csv.h"
#include "tasks/fetch/convert.h"
#include "tasks/fetch/download.h"
#include "tasks/fetch/zip.h"

namespace fbt::tasks {
namespace {

namespace fs = std::filesystem;

int count_rows(const std::string& content, std::string_view file) {
  int rows = 0;
  if (file.ends_with(".json")) {
    return static_cast<int>(parse_json(content, file).size());
  }
  if (file.ends_with(".csv")) {
    for_each_csv_record(content, file, [&](std::vector<std::string>&&, std::size_t) { ++rows; });
    return rows;
  }
  for_each_line(content, [&](std::string_view, std::size_t) { ++rows; });
  return file.ends_with(".tsv") ? rows - 1 : rows;  // the header
}

// The first row of JSON Lines that lacks a field, in words; empty where none does.
std::string missing_field(const SourceFile& file, const std::string& content) {
  std::string missing;
  if (file.fields.empty()) return missing;
  for_each_json_line(content, file.file, [&](nlohmann::json&& row, std::size_t line) {
    for (const std::string& field : file.fields) {
      if (!missing.empty() || row.contains(field)) continue;
      missing = fmt::format("its line {} has no field '{}'", line, field);
    }
  });
  return missing;
}

// What is wrong with `content`; empty where nothing is.
std::string difference(const SourceFile& file, const std::string& content) {
  if (!file.sha256.empty()) {
    const std::string sha256 = sha256_hex(content);
    if (sha256 == file.sha256) return "";
    return fmt::format("its SHA-256 is {}, not {}", sha256, file.sha256);
  }
  if (!file.rows) return "";
  const int rows = count_rows(content, file.file);
  if (rows == *file.rows) return missing_field(file, content);
  return fmt::format("it holds {} rows, not {}", rows, *file.rows);
}

VerifiedFile verify(const SourceFile& file, const fs::path& folder) {
  fs::path path = folder / file.file;
  // Of a file that is published compressed, the compressed bytes are hashed.
  std::string content;
  try {
    if (fs::exists(path)) {
      content = path.extension() == ".gz" ? read_raw_file(path) : read_file(path);
    } else if (path += ".gz"; fs::exists(path)) {
      content = read_file(path);
    } else {
      return {file.file, FileState::kMissing, ""};
    }
    const std::string wrong = difference(file, content);
    if (!wrong.empty()) return {file.file, FileState::kDiffers, wrong};
  } catch (const InputError& error) {
    return {file.file, FileState::kDiffers, error.what()};
  }
  return {file.file, file.sha256.empty() ? FileState::kRowsVerified : FileState::kVerified, ""};
}

std::string mirrored(const std::string& url, const std::string& mirror) {
  if (mirror.empty()) return url;
  const std::size_t scheme = url.find("://");
  return mirror + "/" + (scheme == std::string::npos ? url : url.substr(scheme + 3));
}

// Downloads of one data set; files may share one (a zip archive).
class Downloads {
 public:
  explicit Downloads(const FetchOptions& options)
      : options_(options), folder_(options.folder / ".fetch") {}

  // The path of the whole download.
  fs::path get(const std::string& url, const std::string& file) {
    // Named after the URL, so that a part is only ever continued from its origin.
    const fs::path path = folder_ / sha256_hex(url);
    if (!fs::exists(path)) {
      download(mirrored(url, options_.mirror), path,
               [&](std::uint64_t arrived, std::uint64_t total) {
                 if (options_.progress) options_.progress(file, arrived, total);
               });
    }
    if (std::find(paths_.begin(), paths_.end(), path) == paths_.end()) paths_.push_back(path);
    return path;
  }

  void create_folder() const { fs::create_directories(folder_); }

  // Called when a file that came of them is in place, or is wrong.
  void remove() {
    std::error_code ignored;
    for (const fs::path& path : paths_) fs::remove(path, ignored);
    fs::remove(folder_, ignored);  // goes only when it is empty
    paths_.clear();
  }

 private:
  const FetchOptions& options_;
  fs::path folder_;
  std::vector<fs::path> paths_;
};

void fetch_file(const SourceFile& file, const FetchOptions& options, Downloads& downloads) {
  std::string content;
  for (const std::string& url : file.urls) {
    content += read_raw_file(downloads.get(url, file.file));
  }
  std::string wrong;
  try {
    if (!file.member.empty()) content = zip_member(content, file.member, file.urls.front());
    if (!file.conversion.empty()) content = convert(file.conversion, content, file.urls.front());
    wrong = difference(file, content);
  } catch (const InputError& error) {
    wrong = error.what();
  }
  if (!wrong.empty()) {
    downloads.remove();
    throw EnvironmentError(
        fmt::format("{} from {} is not the file expected: {}; nothing was written "
                    "(see docs/tasks.md for other ways to get it)",
                    file.file, file.urls.front(), wrong));
  }
  const fs::path path = options.folder / file.file;
  fs::create_directories(path.parent_path());
  write_file_atomically(path, content);
}

}  // namespace

int fetch_data_set(const DataSet& set, const FetchOptions& options) {
  Downloads downloads(options);
  int brought = 0;
  try {
    downloads.create_folder();
    for (const SourceFile& file : set.files) {
      const FileState state = verify(file, options.folder).state;
      if (state == FileState::kVerified || state == FileState::kRowsVerified) continue;
      fetch_file(file, options, downloads);
      ++brought;
    }
  } catch (const fs::filesystem_error& error) {
    throw EnvironmentError(
        fmt::format("cannot write to {}: {}", options.folder.string(), error.code().message()));
  }
  downloads.remove();
  return brought;
}

std::vector<VerifiedFile> verify_data_set(const DataSet& set, const fs::path& folder) {
  std::vector<VerifiedFile> files;
  for (const SourceFile& file : set.files) files.push_back(verify(file, folder));
  return files;
}

}  // namespace fbt::tasks
