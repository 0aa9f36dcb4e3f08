#include "tasks/fetch/convert.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/error.h"
#include "base/json_lines.h"
#include "tasks/csv.h"
#include "tasks/fetch/quoted_text.h"

namespace fbt::tasks {
namespace {

using Json = nlohmann::ordered_json;
using Fields = std::vector<std::string>;

[[noreturn]] void unexpected(const std::string& where, const std::string& what) {
  throw InputError(
      fmt::format("{}: the download does not have the form expected: {}", where, what));
}

std::string crlf_to_lf(const std::string& download, const std::string&) {
  std::string text;
  text.reserve(download.size());
  for (std::size_t i = 0; i < download.size(); ++i) {
    if (!std::string_view(download).substr(i).starts_with("\r\n")) text += download[i];
  }
  return text;
}

// Quoted only where it must be, as CSV writers do by default.
std::string csv_field(const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string quoted = "\"";
  for (const char c : field) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  quoted += '"';
  return quoted;
}

std::string mmlu_release(const std::string& download, const std::string& where) {
  constexpr std::size_t kFields = 6;
  std::string text;
  bool header = true;
  for_each_csv_record(download, where, [&](Fields&& fields, std::size_t line) {
    if (fields.size() != kFields) unexpected(where, fmt::format("line {}", line));
    if (header) {
      header = false;
      return;
    }
    std::string& answer = fields.back();
    if (answer.size() != 1 || answer[0] < '0' || answer[0] > '3') {
      unexpected(where, fmt::format("answer '{}' on line {}", answer, line));
    }
    answer[0] = static_cast<char>('A' + (answer[0] - '0'));
    for (std::size_t i = 0; i < kFields; ++i) {
      text += csv_field(fields[i]);
      text += i + 1 < kFields ? ',' : '\n';
    }
  });
  return text;
}

std::string arc_release(const std::string& download, const std::string& where) {
  std::string text;
  for_each_line(download, [&](std::string_view line_text, std::size_t line) {
    Json row = parse_ordered_json(line_text, fmt::format("{}:{}", where, line));
    try {
      for (Json& choice : row.at("question").at("choices")) choice.erase("para");
    } catch (const Json::exception&) {
      unexpected(where, fmt::format("no choices on line {}", line));
    }
    text += row.dump() + '\n';
  });
  return text;
}

// Fields separated by tabs and quoted as in CSV.
Fields split_quoted_tabs(std::string_view line) {
  Fields fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && line.substr(i + 1).starts_with('"')) {
      fields.back() += line[++i];
    } else if (c == '"' && (quoted || fields.back().empty())) {
      quoted = !quoted;
    } else if (c == '\t' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

std::string glue_rte(const std::string& download, const std::string& where) {
  static const std::map<std::string, std::string> kLabels = {{"0", "entailment"},
                                                             {"1", "not_entailment"}};
  std::string text = "index\tsentence1\tsentence2\tlabel\n";
  bool header = true;
  for_each_line(download, [&](std::string_view line_text, std::size_t line) {
    if (header) {
      header = false;
      return;
    }
    if (line_text.ends_with('\r')) line_text.remove_suffix(1);
    const Fields fields = split_quoted_tabs(line_text);
    if (fields.size() != 4 || !kLabels.contains(fields[2])) {
      unexpected(where, fmt::format("line {}", line));
    }
    text += fmt::format("{}\t{}\t{}\t{}\n", fields[3], fields[0], fields[1], kLabels.at(fields[2]));
  });
  return text;
}

std::string python_examples(const std::string& download, const std::string& where) {
  Json list = Json::array();
  std::size_t at = 0;
  while (true) {
    const std::optional<std::string> problem = next_python_entry(download, "problem", at);
    if (!problem) break;
    const std::optional<std::string> solution = next_python_entry(download, "solution", at);
    if (!solution) unexpected(where, "a problem without a solution");
    list.push_back({{"problem", *problem}, {"solution", *solution}});
  }
  if (list.empty()) unexpected(where, "no examples");
  return list.dump(1);
}

std::string yaml_primer(const std::string& download, const std::string& where) {
  const std::optional<std::string> text = yaml_double_quoted(download, "doc_to_text");
  if (!text) unexpected(where, "no doc_to_text in double quotes");
  const std::size_t open = text->find('\'');
  const std::size_t close = text->find('\'', open + 1);
  if (open == std::string::npos || close == std::string::npos) {
    unexpected(where, "no quoted string in doc_to_text");
  }
  return text->substr(open + 1, close - open - 1);
}

using Conversion = std::string (*)(const std::string& download, const std::string& where);

const std::map<std::string, Conversion, std::less<>>& conversions() {
  static const std::map<std::string, Conversion, std::less<>> kAll = {
      {"crlf_to_lf", crlf_to_lf},           {"mmlu_release", mmlu_release},
      {"arc_release", arc_release},         {"glue_rte", glue_rte},
      {"python_examples", python_examples}, {"yaml_primer", yaml_primer},
  };
  return kAll;
}

}  // namespace

std::vector<std::string> conversion_names() {
  std::vector<std::string> names;
  for (const auto& [name, conversion] : conversions()) names.push_back(name);
  return names;
}

bool is_conversion(std::string_view name) {
  return conversions().contains(name);
}

std::string convert(std::string_view conversion, const std::string& download,
                    const std::string& where) {
  return conversions().find(conversion)->second(download, where);
}

}  // namespace fbt::tasks
