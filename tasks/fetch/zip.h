#pragma once

// One file out of a zip archive (stored or deflated; no encryption, no zip64).

#include <string>
#include <string_view>

namespace fbt::tasks {

// Throws InputError, opening with `where`, for a damaged archive and for a
// member that is not there.
std::string zip_member(std::string_view archive, std::string_view member, const std::string& where);

}  // namespace fbt::tasks
