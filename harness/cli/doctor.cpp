// fbt-eval doctor: what this machine offers, and what is missing.

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/version.h"
#include "harness/cli/command.h"
#include "harness/cli/demo_checkpoint.h"
#include "harness/decode/torch_environment.h"
#include "sandbox/pool.h"
#include "tasks/data_source.h"
#include "tasks/registry.h"

namespace fbt::cli {
namespace {

// One thing looked at. What is missing has a remedy.
struct Finding {
  std::string what;
  bool good = true;
  std::string found;
  std::string remedy;
};

Finding look_at_torch() {
  const TorchEnvironment torch = torch_environment();
  std::vector<std::string> devices = {"cpu", "cpu:portable"};
  devices.insert(devices.end(), torch.cuda_devices.begin(), torch.cuda_devices.end());
  std::vector<std::string> remedies;
  if (!torch.onednn) remedies.push_back("bfloat16 on the CPU is slow without oneDNN");
  if (!torch.cuda_build) {
    remedies.push_back("--device cuda needs a CUDA build of LibTorch (docs/libtorch.md)");
  } else if (torch.cuda_devices.empty()) {
    remedies.push_back("--device cuda needs a GPU and its driver; this LibTorch sees none");
  }
  return {"LibTorch", true,
          fmt::format("{} ({}), oneDNN {}, fused attention off the CPU's kernels {}; devices: {}",
                      torch.version, torch.cuda_build ? "CUDA" : "CPU", torch.onednn ? "yes" : "no",
                      torch.fused_attention ? "yes" : "no", fmt::join(devices, ", ")),
          fmt::format("{}", fmt::join(remedies, "; "))};
}

Finding look_at_sandbox() {
  try {
    sandbox::Options options;
    options.workers = 1;
    const sandbox::Pool pool(options);
    const sandbox::Description& jail = pool.description();
    return {"sandbox", true,
            fmt::format("tier {} ({}), cgroup limits: memory {}, pids {}; Python {} at {}",
                        static_cast<int>(jail.tier), sandbox::tier_name(jail.tier),
                        jail.memory_cgroup ? "yes" : "no", jail.pids_cgroup ? "yes" : "no",
                        jail.python_version, jail.python),
            jail.weaker_because};
  } catch (const Error& error) {
    return {"sandbox", false, "", error.what()};
  }
}

Finding look_at_data(const std::string& folder) {
  const tasks::DataSource data(folder);
  std::vector<std::string> missing;
  const std::vector<tasks::TaskEntry> all = tasks::Registry().tasks();
  std::size_t whole = 0;
  for (const tasks::TaskEntry& task : all) {
    if (std::all_of(task.files.begin(), task.files.end(),
                    [&](const std::string& file) { return data.has(file); })) {
      ++whole;
      continue;
    }
    // MMLU's subjects come together.
    const std::string name = task.name.starts_with("mmlu_") ? "mmlu" : task.name;
    if (std::find(missing.begin(), missing.end(), name) == missing.end()) missing.push_back(name);
  }
  Finding finding{"data", missing.empty(),
                  fmt::format("{} of {} tasks in {}", whole, all.size(), folder), ""};
  if (!missing.empty()) {
    finding.remedy =
        fmt::format("without data: {}; fbt-eval data fetch brings it", fmt::join(missing, ", "));
  }
  return finding;
}

Finding look_at_demo() {
  try {
    return {"demo checkpoint", true, resolve_checkpoint("demo"), ""};
  } catch (const Error& error) {
    return {"demo checkpoint", false, "", error.what()};
  }
}

void print(const std::vector<Finding>& findings, bool json) {
  if (json) {
    nlohmann::json list = nlohmann::json::array();
    for (const Finding& finding : findings) {
      list.push_back({{"what", finding.what},
                      {"good", finding.good},
                      {"found", finding.found},
                      {"remedy", finding.remedy}});
    }
    std::puts(nlohmann::json{{"schema", 1}, {"findings", list}}.dump(1).c_str());
    return;
  }
  for (const Finding& finding : findings) {
    fmt::print("{:<16} {:<8} {}\n", finding.what, finding.good ? "ok" : "missing", finding.found);
    if (!finding.remedy.empty()) fmt::print("{:<25} {}\n", "", finding.remedy);
  }
}

}  // namespace

void add_doctor_command(CLI::App& app, ExitStatus&) {
  struct Arguments {
    std::string data;
    bool json = false;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("doctor", "What this machine offers, and what is missing");
  command->add_option("--data", arguments->data, "Folder of the data sets");
  command->add_flag("--json", arguments->json, "For machines");
  command->callback([arguments] {
    const std::string folder =
        arguments->data.empty() ? tasks::default_data_folder().string() : arguments->data;
    std::vector<Finding> findings{
        {"fbt-eval", true,
         fmt::format("{}, {} cores", kVersion, std::thread::hardware_concurrency()), ""}};
    findings.push_back(look_at_torch());
    findings.push_back(look_at_sandbox());
    findings.push_back(look_at_demo());
    findings.push_back(look_at_data(folder));
    print(findings, arguments->json);
  });
}

}  // namespace fbt::cli
