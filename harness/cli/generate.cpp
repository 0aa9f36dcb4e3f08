// fbt-eval generate: completions of one prompt.

#include <cstdio>
#include <iostream>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_lines.h"
#include "base/random.h"
#include "harness/cli/command.h"
#include "harness/cli/engine_options.h"
#include "harness/cli/number_check.h"

namespace fbt::cli {
namespace {

struct Arguments {
  EngineArguments engine;
  GenerateRequest request;
  std::string mode = "standard";
  std::uint64_t seed = 0;
  int samples = 1;
  bool json = false;
};

std::vector<Completion> complete(Backend& backend, const Arguments& arguments) {
  std::vector<GenerateRequest> requests;
  for (int sample = 0; sample < arguments.samples; ++sample) {
    GenerateRequest request = arguments.request;
    request.random_key = stable_hash(fmt::format("generate/{}/{}", arguments.seed, sample));
    requests.push_back(std::move(request));
  }
  std::vector<Completion> completions(requests.size());
  backend.generate(requests, [&](std::size_t index, Completion&& completion) {
    completions[index] = std::move(completion);
    return true;
  });
  return completions;
}

nlohmann::json to_json(const Completion& completion) {
  return {{"tokens", completion.tokens},
          {"text", completion.text},
          {"stop_reason", stop_reason_name(completion.stop_reason)},
          {"log_likelihood", completion.log_likelihood},
          {"prompt_tokens", completion.prompt_tokens},
          {"cut_tokens", completion.cut_tokens},
          {"trace_tokens", completion.trace_tokens}};
}

// Without a tokenizer, ids stand for the text.
std::string shown_text(const Completion& completion, bool has_text) {
  if (has_text) return completion.text;
  std::string ids;
  for (const int token : completion.tokens) ids += fmt::format("{} ", token);
  return ids;
}

void run(Arguments arguments) {
  arguments.request.mode = parse_mode(arguments.mode);
  const auto backend = make_torch_backend(engine_options(arguments.engine));
  std::vector<int> prompt = arguments.request.prompt_tokens;
  if (prompt.empty()) prompt = backend->tokenize(arguments.request.prompt);
  const std::vector<Completion> completions = complete(*backend, arguments);
  if (arguments.json) {
    nlohmann::json result = {{"prompt_tokens", prompt}, {"completions", nlohmann::json::array()}};
    for (const Completion& completion : completions) {
      result["completions"].push_back(to_json(completion));
    }
    std::cout << dump_json(result) << '\n';
    return;
  }
  for (const Completion& completion : completions) {
    std::cout << shown_text(completion, !completion.text_ends.empty()) << '\n';
    std::cerr << fmt::format("[{} tokens, stopped by {}]\n", completion.tokens.size(),
                             stop_reason_name(completion.stop_reason));
  }
}

}  // namespace

void add_generate_command(CLI::App& app, ExitStatus&) {
  auto arguments = std::make_shared<Arguments>();
  GenerateRequest& request = arguments->request;
  CLI::App* command = app.add_subcommand("generate", "Complete a prompt");
  add_engine_options(*command, arguments->engine);
  CLI::Option_group* prompt = command->add_option_group("prompt");
  prompt->add_option("--prompt", request.prompt, "Text to continue");
  prompt->add_option("--prompt-tokens", request.prompt_tokens, "Token ids to continue: 1,2,3")
      ->delimiter(',');
  prompt->require_option(1);
  command->add_option("--mode", arguments->mode, "standard, soft or fused")->capture_default_str();
  command
      ->add_option("--feedback-steps", request.feedback_steps,
                   "Fused passes over the prompt in mode fused")
      ->check(non_negative_number())
      ->capture_default_str();
  command->add_option("--max-new-tokens", request.max_new_tokens)
      ->check(positive_number())
      ->capture_default_str();
  command->add_option("--temperature", request.temperature, "0: the most likely token")
      ->check(non_negative_number())
      ->capture_default_str();
  command->add_option("--samples", arguments->samples, "Completions to draw")
      ->check(positive_number())
      ->capture_default_str();
  command->add_option("--seed", arguments->seed, "Of the sampling")->capture_default_str();
  command->add_option("--stop", request.stop, "Text that ends a completion (may be repeated)")
      ->allow_extra_args(false);
  command->add_flag("--json", arguments->json, "One JSON object on standard output");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace fbt::cli
