// Files that come from elsewhere: CSV, lists of JSON, zip archives, and the forms
// that downloads are converted from.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/error.h"
#include "base/json_lines.h"
#include "tasks/csv.h"
#include "tasks/fetch/convert.h"
#include "tasks/fetch/zip.h"
#include "tasks/json_list.h"

namespace {

// Item by item as all at once.
void read_list(const std::string& text) {
  nlohmann::ordered_json items = nlohmann::ordered_json::array();
  try {
    fbt::tasks::for_each_json_item(text, "fuzz.json",
                                   [&](auto&& item, std::size_t) { items.push_back(item); });
  } catch (const fbt::InputError&) {
    return;
  }
  if (items != fbt::parse_ordered_json(text, "fuzz.json")) std::abort();
}

}  // namespace

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
  read_list(text);
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
