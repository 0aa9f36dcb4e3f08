#pragma once

// A worker's outermost process (runner/supervisor.h), as a child of ours.

#include <filesystem>
#include <memory>

#include "sandbox/descriptor.h"

namespace fbt::sandbox {

class SupervisorProcess {
 public:
  // Starts `python` with the runner's launcher. Of our descriptors it gets
  // standard error, `control` as wire::kControlFd and `module` as
  // wire::kModuleFd, and no other; of our environment nothing. It leads a session
  // of its own, so that Ctrl-C is for us to handle, with signals as at boot.
  // Costs the same from a process of many gigabytes, which is not copied.
  // Throws EnvironmentError where the interpreter cannot be started.
  SupervisorProcess(const std::filesystem::path& python, const Descriptor& control,
                    const Descriptor& module);

  // Tells it to end, with all it runs, and waits until it has cleaned up.
  ~SupervisorProcess();
  SupervisorProcess(const SupervisorProcess&) = delete;
  SupervisorProcess& operator=(const SupervisorProcess&) = delete;

 private:
  struct Child;
  std::unique_ptr<Child> child_;
};

}  // namespace fbt::sandbox
