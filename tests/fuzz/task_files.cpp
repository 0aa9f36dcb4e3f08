// Files that come from elsewhere: CSV, zip archives, and the forms that downloads
// are converted from.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/error.h"
#include "tasks/csv.h"
#include "tasks/fetch/convert.h"
#include "tasks/fetch/zip.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fbt::tasks;
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    std::size_t last_line = 0;
    for_each_csv_record(text, "fuzz.csv", [&](auto&& fields, std::size_t line) {
      if (fields.empty() || line <= last_line) std::abort();
      last_line = line;
    });
  } catch (const fbt::InputError&) {
  }
  try {
    zip_member(text, "a", "fuzz.zip");
  } catch (const fbt::InputError&) {
  }
  for (const std::string& conversion : conversion_names()) {
    try {
      convert(conversion, text, "fuzz");
    } catch (const fbt::InputError&) {
    }
  }
  return 0;
}
