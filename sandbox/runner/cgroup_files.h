#pragma once

// The few file operations that cgroups are made with. Virtual, so that tests can
// stand in for kernels whose hierarchies this machine does not have.

#include <string>
#include <string_view>
#include <vector>

namespace fbt::sandbox::runner {

class CgroupFiles {
 public:
  virtual ~CgroupFiles() = default;
  // False, with errno set, where the kernel refuses.
  virtual bool make_folder(const std::string& path);
  virtual bool remove_folder(const std::string& path);
  virtual bool write(const std::string& path, std::string_view content);
  // Names of the entries of a folder; empty where it cannot be read.
  virtual std::vector<std::string> entries(const std::string& folder);
};

}  // namespace fbt::sandbox::runner
