#include "harness/cli/demo_checkpoint.h"

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "base/error.h"

namespace fbt::cli {

std::string resolve_checkpoint(const std::string& checkpoint) {
  if (checkpoint != "demo") return checkpoint;
  namespace fs = std::filesystem;
  std::vector<fs::path> folders;
  if (const char* folder = std::getenv("FBT_DEMO")) folders.emplace_back(folder);
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  folders.push_back(program.parent_path().parent_path() / "share" / "fbt-eval" / "demo");
  folders.emplace_back(FBT_DEMO_FOLDER);
  for (const fs::path& folder : folders) {
    if (fs::exists(folder / "config.json", ignored)) return folder.string();
  }
  throw InputError("the demo checkpoint is not at " + folders.back().string() +
                   "; set FBT_DEMO to its folder or give --checkpoint DIR");
}

}  // namespace fbt::cli
