#pragma once

// What the tests of resumable experiments share: a results file of their own, a
// checkpoint's record and a model whose figures are known.

#include <gtest/gtest.h>

#include "results/store/records.h"
#include "tests/harness/mechanism/fake_stream.h"
#include "tests/support/paths.h"

namespace fbt::mechanism {

class ExperimentTest : public ::testing::Test {
 protected:
  std::filesystem::path database() const { return folder_.path() / "results.sqlite"; }

  fbt::testing::TemporaryFolder folder_;
  results::Checkpoint checkpoint_{.content_hash = "h",
                                  .name = "fbt",
                                  .train_tokens = {},
                                  .average_passes = {},
                                  .family = "full-bandwidth",
                                  .stage = "base",
                                  .path = ""};
  FakeStream stream_;
};

}  // namespace fbt::mechanism
