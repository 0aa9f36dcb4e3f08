#include "tests/support/paths.h"

#include <cstdlib>

namespace fbt::testing {

std::filesystem::path source_dir() {
  return FBT_SOURCE_DIR;
}

std::filesystem::path shared_dir() {
  if (const char* shared = std::getenv("FBT_SHARED")) return shared;
  return source_dir().parent_path() / "shared";
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "fbt-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    ADD_FAILURE() << "cannot make a temporary folder like " << name;
  }
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace fbt::testing
