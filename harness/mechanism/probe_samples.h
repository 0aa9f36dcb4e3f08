#pragma once

// The samples of a probing task as a model reads them.

#include <string>
#include <vector>

#include "harness/decode/pass_stream.h"
#include "harness/mechanism/probe.h"
#include "harness/mechanism/probe_fit.h"

namespace fbt::mechanism {

struct ProbeSamples {
  std::string task;
  std::vector<std::vector<int>> tokens;  // ends with the final colon's
  ProbeLabels labels;
  int groups = 0;
  int padded_tokens = 0;
};

// Generates and tokenizes a task's samples. What does not fit the context is
// left out by numbers of idle updates and told in `notes`; no samples may be
// left. Throws InputError for an unknown task.
ProbeSamples probe_samples(const std::string& task, const ProbeSettings& settings,
                           const PassStream& stream, std::vector<std::string>& notes);

}  // namespace fbt::mechanism
