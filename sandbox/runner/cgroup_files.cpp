#include "sandbox/runner/cgroup_files.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandbox/runner/io.h"

namespace fbt::sandbox::runner {

bool CgroupFiles::make_folder(const std::string& path) {
  return ::mkdir(path.c_str(), 0755) == 0;
}

bool CgroupFiles::remove_folder(const std::string& path) {
  return ::rmdir(path.c_str()) == 0;
}

bool CgroupFiles::write(const std::string& path, std::string_view content) {
  return write_small_file(path, content);
}

std::vector<std::string> CgroupFiles::entries(const std::string& folder) {
  std::vector<std::string> names;
  DIR* stream = ::opendir(folder.c_str());
  if (stream == nullptr) return names;
  while (const dirent* entry = ::readdir(stream)) names.emplace_back(entry->d_name);
  ::closedir(stream);
  return names;
}

}  // namespace fbt::sandbox::runner
