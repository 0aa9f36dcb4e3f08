// fbt-eval train: the training recipe in small, on generated text.

#include <ATen/Parallel.h>
#include <spdlog/spdlog.h>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/file.h"
#include "harness/cli/command.h"
#include "harness/cli/number_check.h"
#include "harness/decode/device/engine_device.h"
#include "harness/model/cpu_bfloat16.h"
#include "harness/run/interrupt.h"
#include "harness/tokenizer/tokenizer.h"
#include "harness/train/corpus.h"
#include "harness/train/memory.h"
#include "harness/train/trainer.h"

namespace fbt::cli {
namespace {

struct Options {
  train::Recipe recipe;
  std::string out;
  std::string config;
  std::string tokenizer;
  std::string trunk;
  std::string database = "results.sqlite";
  std::string family = "full-bandwidth";
  std::string dtype;  // empty: see choose_dtype()
  std::string device = "cpu";
  int threads = 0;
  std::int64_t save_every = 200;
  std::int64_t report_every = 20;
  bool fresh = false;
};

Family parse_family(const std::string& name) {
  for (const Family family : {Family::kStandard, Family::kFullBandwidth}) {
    if (name == family_name(family)) return family;
  }
  throw InputError(unknown_name_message("family", name, {"standard", "full-bandwidth"}));
}

// The checkpoint's tokenizer.json: the one given, the one that a stopped
// training left, or a new one.
Tokenizer place_tokenizer(const Options& options, const std::filesystem::path& path) {
  if (!options.tokenizer.empty()) {
    std::filesystem::path given(options.tokenizer);
    if (std::filesystem::is_directory(given)) given /= "tokenizer.json";
    write_file_atomically(path, read_file(given));
  } else if (options.fresh || !std::filesystem::exists(path)) {
    spdlog::info("learning a vocabulary of {} tokens", options.recipe.config.vocab_size);
    write_file_atomically(path,
                          train::learn_tokenizer(static_cast<int>(options.recipe.config.vocab_size),
                                                 options.recipe.seed));
  }
  return Tokenizer::load(path);
}

std::filesystem::path state_folder(const std::string& checkpoint) {
  return std::filesystem::path(checkpoint) / "training";
}

void prepare_recipe(Options& options) {
  if (!options.dtype.empty() && options.dtype != "bfloat16" && options.dtype != "float32") {
    throw InputError(unknown_name_message("dtype", options.dtype, {"bfloat16", "float32"}));
  }
  train::Recipe& recipe = options.recipe;
  recipe.family = parse_family(options.family);
  recipe.config = read_model_config(options.config);
  recipe.config.latent_feedback = recipe.family == Family::kFullBandwidth;
  train::check_recipe(recipe);
}

// The dtype of matrix products: the one given, else that of the training to go on
// with or to branch off, else the one in which the device is fast.
void choose_dtype(Options& options, at::Device device) {
  const bool is_fast = !device.is_cpu() || cpu_multiplies_bfloat16();
  bool& bfloat16 = options.recipe.bfloat16;
  if (!options.dtype.empty()) {
    bfloat16 = options.dtype == "bfloat16";
  } else {
    std::optional<bool> begun = train::stored_bfloat16(state_folder(options.out));
    if (!begun && !options.trunk.empty()) {
      begun = train::stored_bfloat16(state_folder(options.trunk));
    }
    bfloat16 = begun.value_or(is_fast);
  }
  if (bfloat16 && !is_fast) {
    spdlog::warn(
        "this CPU has no instructions for products in bfloat16: they are many times slower than "
        "those of --dtype float32");
  } else if (!bfloat16) {
    spdlog::info("matrix products in float32{}",
                 is_fast ? "" : ": this CPU has no instructions for bfloat16");
  }
}

void report(const results::TrainingStep& record, std::int64_t steps) {
  spdlog::info(
      "step {}/{}  tokens {}  passes {}  loss {:.4f} (last pass {:.4f})  gradient {:.3f}  "
      "state {:.2f}  {:.0f} tokens/s",
      record.step + 1, steps, record.tokens, record.passes, record.loss, record.last_pass_loss,
      record.gradient_norm, record.state_norm, record.tokens_per_second);
}

void train_model(Options options) {
  prepare_recipe(options);
  const at::Device device = parse_device(options.device).device;
  if (options.threads > 0) at::set_num_threads(options.threads);
  train::keep_freed_memory();
  const std::filesystem::path out(options.out);
  const std::filesystem::path state = state_folder(options.out);
  std::filesystem::create_directories(state);
  if (options.fresh) std::filesystem::remove(state / "state.json");
  choose_dtype(options, device);

  const Tokenizer tokenizer = place_tokenizer(options, out / "tokenizer.json");
  train::Recipe& recipe = options.recipe;
  if (tokenizer.vocab_size() > recipe.config.vocab_size) {
    throw InputError("the tokenizer has " + std::to_string(tokenizer.vocab_size()) +
                     " tokens, but vocab_size in " + options.config + " is " +
                     std::to_string(recipe.config.vocab_size));
  }
  recipe.config.bos_token_id = tokenizer.bos_id();
  if (const auto eos = tokenizer.token_id("<|eos|>")) recipe.config.eos_token_ids = {*eos};

  train::Trainer trainer(recipe, train::training_rows(tokenizer, recipe.seed, recipe.row_tokens),
                         device);
  if (trainer.resume(state)) {
    spdlog::info("going on after step {}", trainer.steps_done());
  } else if (!options.trunk.empty()) {
    trainer.branch_from(state_folder(options.trunk));
    spdlog::info("branching off {} after step {}", options.trunk, trainer.steps_done());
  }
  results::TrainingLog log(options.database, recipe.name, recipe_json(recipe).dump());
  log.truncate(trainer.steps_done());

  const auto save = [&] {
    trainer.save(state);
    trainer.save_checkpoint(out, recipe.bfloat16 ? at::kBFloat16 : at::kFloat);
  };
  const std::int64_t first = trainer.steps_done();
  const auto save_if_due = [&] {
    if (trainer.steps_done() > first && trainer.steps_done() % options.save_every == 0) save();
  };
  const run::InterruptGuard guard;
  while (!trainer.finished()) {
    const results::TrainingStep record = trainer.step(save_if_due);
    log.append(record);
    const std::int64_t done = record.step + 1;
    if (done % options.report_every == 0 || trainer.finished()) report(record, recipe.steps());
    if (run::interrupted()) {
      trainer.check_weights();
      save();
      throw InterruptedError("stopped after step " + std::to_string(done) +
                             "; the same command goes on from there");
    }
  }
  trainer.check_weights();
  save();
  spdlog::info("checkpoint in {}", options.out);
}

}  // namespace

void add_train_command(CLI::App& app, ExitStatus&) {
  auto options = std::make_shared<Options>();
  train::Recipe& recipe = options->recipe;
  CLI::App* command =
      app.add_subcommand("train", "Train a small model on generated text with the paper's recipe");
  command
      ->add_option("--out", options->out,
                   "Folder of the checkpoint; a stopped training in it "
                   "goes on by itself")
      ->required();
  command->add_option("--config", options->config, "Model configuration (config.json)")
      ->required()
      ->check(CLI::ExistingFile);
  command->add_option("--tokenizer", options->tokenizer,
                      "tokenizer.json or its folder (default: learned from the training text)");
  command->add_option("--from", options->trunk,
                      "Folder of a training with --cooldown 0 to branch off where it stands");
  command->add_option("--db", options->database, "Results file that keeps a row per step")
      ->capture_default_str();
  command->add_option("--name", recipe.name, "Name in fbt.json")->capture_default_str();
  command->add_option("--family", options->family, "full-bandwidth or standard")
      ->capture_default_str();
  command->add_option("--tokens", recipe.tokens, "Training tokens")->capture_default_str();
  command->add_option("--batch-tokens", recipe.batch_tokens, "Tokens of a step")
      ->capture_default_str();
  command
      ->add_option("--micro-batch-tokens", recipe.micro_batch_tokens,
                   "Tokens of a backward pass; gradients accumulate over a step")
      ->capture_default_str();
  command->add_option("--row-tokens", recipe.row_tokens, "Tokens of a packed row")
      ->capture_default_str();
  command
      ->add_option("--passes", recipe.pass_shares, "Shares of the steps with 1, 2, 3, ... passes")
      ->delimiter(',')
      ->capture_default_str();
  command
      ->add_option("--feedback-start", recipe.feedback_start,
                   "Share of the steps before the first feedback pass")
      ->capture_default_str();
  command
      ->add_option("--prefix-share", recipe.prefix_share,
                   "Share of the sequences with a plain prefix in a fused pass")
      ->capture_default_str();
  command->add_option("--jitter", recipe.jitter, "Noise on the fed-back states")
      ->capture_default_str();
  command->add_option("--matrix-lr", recipe.matrix_lr, "NorMuon's learning rate")
      ->capture_default_str();
  command->add_option("--matrix-decay", recipe.matrix_decay, "NorMuon's weight decay")
      ->capture_default_str();
  command->add_option("--adam-lr", recipe.adam_lr, "Adam's learning rate")->capture_default_str();
  command->add_option("--warmup", recipe.warmup, "Share of the steps")->capture_default_str();
  command->add_option("--cooldown", recipe.cooldown, "Share of the steps")->capture_default_str();
  command->add_option("--z-loss", recipe.z_loss, "Weight of the z-loss in the cooldown")
      ->capture_default_str();
  command->add_option("--seed", recipe.seed, "Names every draw")->capture_default_str();
  command->add_option("--dtype", options->dtype,
                      "Of matrix products: bfloat16 or float32 (default: that of the training to "
                      "go on with or of --from, else bfloat16 on a GPU and on CPUs with AVX-512, "
                      "float32 elsewhere)");
  command->add_option("--device", options->device, "cpu or cuda")->capture_default_str();
  command->add_option("--threads", options->threads, "LibTorch's threads (0: its default)")
      ->check(non_negative_number())
      ->capture_default_str();
  command->add_option("--save-every", options->save_every, "Steps between two saved states")
      ->check(positive_number())
      ->capture_default_str();
  command->add_option("--report-every", options->report_every, "Steps between two lines")
      ->check(positive_number())
      ->capture_default_str();
  command->add_flag("--fresh", options->fresh, "Start over, whatever the folder holds");
  command->callback([options] { train_model(*options); });
}

}  // namespace fbt::cli
