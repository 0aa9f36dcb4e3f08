// fbt-eval data: brings the public data sets and checks them.

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "harness/cli/command.h"
#include "tasks/data_source.h"
#include "tasks/fetch/fetch.h"

namespace fbt::cli {
namespace {

struct Options {
  std::vector<std::string> names;
  std::string folder;
  std::string mirror;
  bool all = false;

  std::filesystem::path data_folder() const {
    return folder.empty() ? tasks::default_data_folder() : std::filesystem::path(folder);
  }
};

// One line, redrawn in place; only on a terminal.
void draw_progress(const std::string& file, std::uint64_t arrived, std::uint64_t total) {
  constexpr int kWidth = 30;
  const double megabytes = static_cast<double>(arrived) / 1e6;
  if (total == 0) {
    fmt::print(stderr, "\r{:<36} {:8.1f} MB\033[K", file, megabytes);
  } else {
    const double share = std::min(1.0, static_cast<double>(arrived) / static_cast<double>(total));
    const int filled = static_cast<int>(share * kWidth);
    fmt::print(stderr, "\r{:<36} [{:<{}}] {:3.0f}% {:8.1f} MB\033[K", file,
               std::string(static_cast<std::size_t>(filled), '#'), kWidth, share * 100, megabytes);
  }
  std::fflush(stderr);
}

void fetch(const Options& options) {
  const auto sets = tasks::select_data_sets(tasks::built_in_sources(), options.names);
  tasks::FetchOptions fetch_options{options.data_folder(), options.mirror, {}};
  const bool terminal = ::isatty(STDERR_FILENO) == 1;
  if (terminal) fetch_options.progress = draw_progress;
  for (const tasks::DataSet& set : sets) {
    const int brought = tasks::fetch_data_set(set, fetch_options);
    if (terminal) fmt::print(stderr, "\r\033[K");
    fmt::print("{:<14} {} ({})\n", set.name,
               brought == 0 ? "is there"
                            : fmt::format("{} of {} files brought", brought, set.files.size()),
               set.licence);
    std::fflush(stdout);
  }
  fmt::print("data folder: {}\n", options.data_folder().string());
}

const char* state_name(tasks::FileState state) {
  switch (state) {
    case tasks::FileState::kVerified:
      return "ok";
    case tasks::FileState::kRowsVerified:
      return "ok (rows; its hash is not known)";
    case tasks::FileState::kMissing:
      return "missing";
    case tasks::FileState::kDiffers:
      return "differs";
  }
  return "";
}

void verify(const Options& options) {
  const std::filesystem::path folder = options.data_folder();
  std::string bad_sets;
  int bad_files = 0;
  for (const tasks::DataSet& set :
       tasks::select_data_sets(tasks::built_in_sources(), options.names)) {
    int good = 0;
    const auto files = tasks::verify_data_set(set, folder);
    for (const tasks::VerifiedFile& file : files) {
      const bool is_good = file.state == tasks::FileState::kVerified ||
                           file.state == tasks::FileState::kRowsVerified;
      good += is_good;
      if (options.all || file.state != tasks::FileState::kVerified) {
        fmt::print("  {}: {}{}\n", file.file, state_name(file.state),
                   file.detail.empty() ? "" : " (" + file.detail + ")");
      }
    }
    fmt::print("{:<14} {} of {} files ok\n", set.name, good, files.size());
    const int bad = static_cast<int>(files.size()) - good;
    if (bad > 0) bad_sets += " " + set.name;
    bad_files += bad;
  }
  if (bad_files == 0) return;
  throw InputError(
      fmt::format("{} files are missing or differ; bring them with: "
                  "fbt-eval data fetch{} --data {}",
                  bad_files, bad_sets, folder.string()));
}

CLI::App* add_subcommand(CLI::App& data, const std::string& name, const std::string& what,
                         Options& options) {
  CLI::App* command = data.add_subcommand(name, what);
  command->add_option("names", options.names, "Data sets, as gsm8k (default: all)");
  command->add_option("--data", options.folder,
                      "Data folder (default: $FBT_DATA, else the user's data folder)");
  return command;
}

}  // namespace

void add_data_command(CLI::App& app, ExitStatus&) {
  CLI::App* data = app.add_subcommand("data", "The public data sets");
  data->require_subcommand(1);
  auto options = std::make_shared<Options>();
  CLI::App* fetch_command =
      add_subcommand(*data, "fetch", "Bring what is missing from the public origins", *options);
  fetch_command->add_option("--mirror", options->mirror,
                            "Ask URL/HOST/PATH instead of https://HOST/PATH");
  fetch_command->callback([options] { fetch(*options); });
  CLI::App* verify_command =
      add_subcommand(*data, "verify", "Check the files' hashes and numbers of rows", *options);
  verify_command->add_flag("--all", options->all, "Name the files that are right, too");
  verify_command->callback([options] { verify(*options); });
}

}  // namespace fbt::cli
