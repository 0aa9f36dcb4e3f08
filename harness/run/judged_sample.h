#pragma once

// A sample on its way from the model to the store, and its rows there.

#include "harness/backend/backend.h"
#include "harness/run/cell.h"
#include "harness/run/judge.h"

namespace fbt::run {

// One sample of the grid.
struct SampleId {
  std::size_t cell = 0;  // index among the run's cells
  int document = 0;
  double temperature = 0;
  int sample = 0;

  auto operator<=>(const SampleId&) const = default;
};

struct JudgedSample {
  SampleId id;
  tasks::Document document;
  // Of a sample that the store holds already: its text alone.
  Completion completion;
  bool stored = false;
  Judgement judgement;
};

results::Document document_row(const tasks::Document& document, const Completion& completion);
results::Generation generation_row(const SampleId& id, const Cell& cell, Completion&& completion,
                                   const Judgement& judgement);

// Generated tokens before the answer span; all of the trace where there is no
// answer or the place of tokens is not known.
int reasoning_length(const Completion& completion, const Judgement& judgement);

}  // namespace fbt::run
