#include "tasks/fetch/sources.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "base/json_lines.h"
#include "base/json_object.h"
#include "tasks/fetch/convert.h"

namespace fbt::tasks {
namespace {

// Fills {repository}, {commit} and {path}.
std::string fill(std::string pattern, const std::string& name, const std::string& value) {
  const std::string placeholder = "{" + name + "}";
  if (const std::size_t at = pattern.find(placeholder); at != std::string::npos) {
    pattern.replace(at, placeholder.size(), value);
  }
  return pattern;
}

SourceFile parse_file(JsonObject object, const std::string& repository_url) {
  SourceFile file;
  file.file = object.text("file");
  if (object.has("repository")) {
    std::string url = fill(repository_url, "repository", object.text("repository"));
    url = fill(url, "commit", object.text("commit"));
    for (const std::string& path : object.texts("paths")) {
      file.urls.push_back(fill(url, "path", path));
    }
  } else {
    file.urls = {object.text("url")};
  }
  file.conversion = object.text("conversion", "");
  if (!file.conversion.empty() && !is_conversion(file.conversion)) {
    object.fail("conversion", "names an " + unknown_name_message("conversion", file.conversion,
                                                                 conversion_names()));
  }
  file.member = object.text("member", "");
  file.sha256 = object.text("sha256", "");
  if (object.has("rows")) file.rows = object.integer("rows");
  file.fields = object.texts("fields", {});
  object.finish();
  return file;
}

}  // namespace

std::vector<DataSet> parse_sources(std::string_view json, const std::string& where) {
  const JsonObject::Json value = parse_ordered_json(json, where);
  JsonObject root(value, where);
  const std::string repository_url = root.text("repository_url", "");
  std::vector<DataSet> sets;
  for (JsonObject& object : root.objects("data_sets")) {
    DataSet set;
    set.name = object.text("name");
    set.title = object.text("title");
    set.licence = object.text("licence");
    for (JsonObject& file : object.objects("files")) {
      set.files.push_back(parse_file(std::move(file), repository_url));
    }
    object.finish();
    sets.push_back(std::move(set));
  }
  root.finish();
  return sets;
}

std::vector<DataSet> built_in_sources() {
  return parse_sources(sources_json(), "sources.json");
}

std::vector<DataSet> select_data_sets(const std::vector<DataSet>& all,
                                      const std::vector<std::string>& names) {
  if (names.empty()) return all;
  std::vector<DataSet> chosen;
  for (const std::string& name : names) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const DataSet& set) { return set.name == name; });
    if (found == all.end()) {
      std::vector<std::string> known;
      for (const DataSet& set : all) known.push_back(set.name);
      throw InputError(unknown_name_message("data set", name, known));
    }
    chosen.push_back(*found);
  }
  return chosen;
}

}  // namespace fbt::tasks
