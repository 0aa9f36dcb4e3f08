#pragma once

// Where tests find files, and a folder of their own to write in.

#include <filesystem>
#include <string_view>

#include <gtest/gtest.h>

namespace fbt::testing {

// The project's root.
std::filesystem::path source_dir();

// $FBT_SHARED, or ../shared beside the project: the real data sets and golden
// outputs. May not exist: use FBT_REQUIRE_SHARED.
std::filesystem::path shared_dir();

// A fresh folder, removed with all it holds when the object goes.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace fbt::testing

// Skips the test, saying so, where shared/RELATIVE is absent.
#define FBT_REQUIRE_SHARED(relative)                                     \
  if (!std::filesystem::exists(fbt::testing::shared_dir() / (relative))) \
  GTEST_SKIP() << (fbt::testing::shared_dir() / (relative))              \
               << " is absent; set FBT_SHARED to the folder that holds it"
