// Seeds LibTorch's generator before each test of a program that this file is part of:
// left alone it begins somewhere else in every process, and a test that fails once
// cannot be seen to fail again.

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace {

class SeedEachTest : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo&) override { at::manual_seed(20261130); }
};

[[maybe_unused]] const bool kListens = [] {
  testing::UnitTest::GetInstance()->listeners().Append(new SeedEachTest);  // which takes it
  return true;
}();

}  // namespace
