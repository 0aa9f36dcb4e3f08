#include "probe_reader.h"

#include <cctype>
#include <map>
#include <sstream>

namespace fbt::tasks::probing {

int completion_label(std::string_view text) {
  std::istringstream lines{std::string(text)};
  int required = 0;
  int completed = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line == "required +1") ++required;
    if (line == "completed +1") ++completed;
  }
  return required == completed ? 1 : 0;
}

int recall_label(std::string_view text) {
  return text.substr(0, text.find('.')).ends_with(" on") ? 1 : 0;
}

int register_label(std::string_view text) {
  std::istringstream words{std::string(text.substr(text.find("Registers:")))};
  std::map<std::string, int> values;
  std::string word;
  words >> word;
  for (std::string name; words >> name && name != "read";) {
    words >> word >> values[name];  // "=", the value
    words.ignore();                 // ","
  }
  words >> word;
  return values.at(word);
}

std::size_t count_simple_tokens(std::string_view text) {
  const auto kind = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return std::isalpha(byte) ? 'a' : std::isdigit(byte) ? '0' : c;
  };
  std::size_t count = 0;
  char before = ' ';
  for (const char c : text) {
    const char now = kind(c);
    const bool continues = now == before && (now == 'a' || now == '0');
    if (now != ' ' && !continues) ++count;
    before = now;
  }
  return count;
}

}  // namespace fbt::tasks::probing
