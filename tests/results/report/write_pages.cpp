// write_pages FOLDER: the pages that browser_test.py opens.

#include <cstdio>
#include <filesystem>

#include "base/file.h"
#include "results/report/report.h"
#include "tests/results/report/simulated_report.h"

namespace {

using fbt::results::testing::write_hostile;
using fbt::results::testing::write_ladder;
using fbt::results::testing::write_many;

void write_page(const std::filesystem::path& folder, const std::string& name) {
  const std::filesystem::path database = folder / (name + ".sqlite");
  fbt::results::ReportOptions options;
  options.references = name == "ladder";
  fbt::write_file_atomically(folder / (name + ".html"),
                             fbt::results::report_html({&database, 1}, options));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: write_pages FOLDER\n", stderr);
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  write_ladder(folder / "ladder.sqlite");
  write_hostile(folder / "hostile.sqlite");
  write_many(folder / "many.sqlite", 20'000);
  for (const char* name : {"ladder", "hostile", "many"}) write_page(folder, name);
  return 0;
}
