#include "results/compare/reference.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json_lines.h"
#include "results/compare/embedded.h"

namespace fbt::results {
namespace {

using nlohmann::json;

template <typename T>
T read(const json& object, const char* key, std::string_view where) {
  try {
    return object.at(key).get<T>();
  } catch (const json::exception&) {
    throw InputError(fmt::format("{}: '{}' is missing or of a wrong type", where, key));
  }
}

}  // namespace

std::vector<ReferenceRow> parse_references(std::string_view text, std::string_view where) {
  const json document = parse_json(text, where);
  std::vector<ReferenceRow> rows;
  for (const json& entry : read<std::vector<json>>(document, "references", where)) {
    ReferenceRow& row = rows.emplace_back();
    row.name = read<std::string>(entry, "name", where);
    const std::string place = fmt::format("{}: {}", where, row.name);
    row.source = read<std::string>(entry, "source", place);
    row.stage = read<std::string>(entry, "stage", place);
    row.train_tokens = read<double>(entry, "train_tokens", place);
    row.family = read<std::string>(entry, "family", place);
    for (const json& figure : read<std::vector<json>>(entry, "figures", place)) {
      row.figures[{read<std::string>(figure, "task", place),
                   read<std::string>(figure, "mode", place)}] = {
          read<std::string>(figure, "percent", place),
          figure.contains("note") ? read<std::string>(figure, "note", place) : ""};
    }
  }
  return rows;
}

std::vector<ReferenceRow> published_references() {
  return parse_references(references_json(), "references.json");
}

}  // namespace fbt::results
