#include "harness/cli/usage_error.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"

namespace fbt::cli {
namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<std::string> long_options_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

}  // namespace

std::string usage_message(const CLI::App& app, const std::vector<std::string>& arguments,
                          const CLI::ParseError& error) {
  const CLI::App* command = &app;
  std::string path = "fbt-eval";
  std::string message = error.what();
  for (const std::string& argument : arguments) {
    const std::vector<const CLI::App*> inner = commands_of(*command);
    if (argument.starts_with("--")) {
      const std::string name = argument.substr(0, argument.find('='));
      const std::vector<std::string> known = long_options_of(*command);
      if (std::find(known.begin(), known.end(), name) == known.end()) {
        message = unknown_name_message("option", name, known);
        break;
      }
    } else if (!inner.empty()) {
      const auto found = std::find_if(inner.begin(), inner.end(), [&](const CLI::App* one) {
        return one->check_name(argument);
      });
      if (found == inner.end()) {
        std::vector<std::string> names;
        for (const CLI::App* one : inner) names.push_back(one->get_name());
        message = unknown_name_message("command", argument, names);
        break;
      }
      command = *found;
      path += " " + command->get_name();
    }
  }
  message = message.substr(0, message.find('\n'));
  return fmt::format("{} (see {} --help)", message, path);
}

}  // namespace fbt::cli
