#pragma once

// The seccomp filter that programs run under, as the kernel takes it: the bytes
// of an array of sock_filter. Built with libseccomp.
//
// Three answers: allowed (what Python programs do), trapped (what only an attack
// or a programme for another purpose does: the program is killed and the verdict
// names the call), and for everything else ENOSYS, as from an older kernel.

#include <string>
#include <string_view>

namespace fbt::sandbox {

// Tier 1: the program has a PID namespace of its own, so it may start processes
// and send signals, and a scratch folder of its own.
std::string namespace_filter();

// Tiers 2 and 3: the program shares the host's processes and files, so it may
// start threads only, and change neither other processes nor what belongs to files.
std::string shared_filter();

// "socket"; "41" where this machine has no such call.
std::string system_call_name(int number);

}  // namespace fbt::sandbox
