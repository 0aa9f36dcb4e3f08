#include "harness/run/grade_math.h"

#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json_lines.h"
#include "base/line_reader.h"
#include "scorers/gsm8k.h"
#include "scorers/math/grade.h"

namespace fbt {
namespace {

using nlohmann::json;

constexpr std::size_t kLinesPerChunk = 64;

// The reference answers of a data file, read when the first doc_id asks for one.
class References {
 public:
  References(const GradeRequest& request, const char* in_data)
      : file_(request.problems.empty() ? request.data / in_data : request.problems) {}

  // Thread-safe. Throws InputError (`where`: the input's file and line).
  const std::string& find(const json& doc_id, const std::string& where) {
    std::call_once(read_, [this] { read(); });
    const std::string key = doc_id.is_string() ? doc_id.get<std::string>() : doc_id.dump();
    const auto found = by_id_.find(key);
    if (found != by_id_.end()) return answers_[found->second];
    throw InputError(fmt::format("{}: {} holds no document with the doc_id {}; it has 0 to {}",
                                 where, file_.string(), doc_id.dump(), answers_.size() - 1));
  }

 private:
  void read() {
    std::filesystem::path file = file_;
    if (std::filesystem::path gz = file.string() + ".gz";
        !std::filesystem::exists(file) && std::filesystem::exists(gz)) {
      file = gz;
    }
    if (!std::filesystem::exists(file)) {
      throw InputError(fmt::format(
          "the references for doc_id are not at {}; give --data DIR or --problems FILE, or lines "
          "with \"gold\"",
          file.string()));
    }
    for_each_json_line(file, [&](json&& row, std::size_t line) {
      const auto answer = row.is_object() ? row.find("answer") : row.end();
      if (!row.is_object() || answer == row.end() || !answer->is_string()) {
        throw InputError(fmt::format("{}:{}: no text \"answer\"", file.string(), line));
      }
      by_id_.emplace(std::to_string(answers_.size()), answers_.size());
      if (const auto id = row.find("unique_id"); id != row.end() && id->is_string()) {
        by_id_.emplace(id->get<std::string>(), answers_.size());
      }
      answers_.push_back(answer->get<std::string>());
    });
    if (answers_.empty()) throw InputError(file.string() + " holds no documents");
  }

  std::filesystem::path file_;
  std::once_flag read_;
  std::vector<std::string> answers_;
  std::unordered_map<std::string, std::size_t> by_id_;
};

struct Line {
  std::string text;
  std::size_t number = 0;
};

// Some lines in a row, and what became of them up to the first error.
struct Chunk {
  std::vector<Line> lines;
  std::vector<GradedLine> graded;
  std::optional<InputError> error;
};

using ScoreLine = GradedLine (*)(const GradeRequest&, const std::string& gold,
                                 const std::string& completion);

std::string text_of(const json& row, const char* key, const std::string& where) {
  const auto member = row.find(key);
  if (member == row.end() || !member->is_string()) {
    throw InputError(fmt::format(
        R"({}: no text "{}"; a line is {{"gold", "completion"}} or {{"doc_id", "completion"}})",
        where, key));
  }
  return member->get<std::string>();
}

GradedLine grade_line(const GradeRequest& request, References& references, ScoreLine score,
                      const Line& line) {
  const std::string where = fmt::format("{}:{}", request.input.string(), line.number);
  const json row = parse_json(line.text, where);
  if (!row.is_object()) throw InputError(where + ": a line must be a JSON object");
  const std::string completion = text_of(row, "completion", where);
  const auto doc_id = row.find("doc_id");
  const bool by_id = !row.contains("gold") && doc_id != row.end();
  const std::string gold = by_id ? references.find(*doc_id, where) : text_of(row, "gold", where);
  return score(request, gold, completion);
}

void grade_stream(const GradeRequest& request, const GradeSinks& sinks, const char* in_data,
                  ScoreLine score) {
  LineReader reader(request.input);
  References references(request, in_data);
  std::size_t count = 0;
  std::size_t correct = 0;
  std::size_t undecided = 0;

  const auto read = [&](oneapi::tbb::flow_control& control) {
    auto chunk = std::make_shared<Chunk>();
    Line line;
    while (chunk->lines.size() < kLinesPerChunk && reader.next(line.text)) {
      line.number = reader.line_number();
      chunk->lines.push_back(std::move(line));
    }
    if (chunk->lines.empty()) control.stop();
    return chunk;
  };
  const auto grade_chunk = [&](std::shared_ptr<Chunk> chunk) {
    try {
      for (const Line& line : chunk->lines) {
        chunk->graded.push_back(grade_line(request, references, score, line));
      }
    } catch (const InputError& error) {
      chunk->error = error;  // reported in its turn, after the lines before it
    }
    return chunk;
  };
  const auto write = [&](const std::shared_ptr<Chunk>& chunk) {
    for (GradedLine& graded : chunk->graded) {
      graded.index = count++;
      if (graded.correct) ++correct;
      if (graded.rule == "undecided") ++undecided;
      sinks.line(graded);
    }
    if (chunk->error) throw InputError(*chunk->error);
  };

  using oneapi::tbb::filter_mode;
  using oneapi::tbb::make_filter;
  const std::size_t in_flight =
      4 * static_cast<std::size_t>(oneapi::tbb::this_task_arena::max_concurrency());
  oneapi::tbb::parallel_pipeline(
      in_flight,
      make_filter<void, std::shared_ptr<Chunk>>(filter_mode::serial_in_order, read) &
          make_filter<std::shared_ptr<Chunk>, std::shared_ptr<Chunk>>(filter_mode::parallel,
                                                                      grade_chunk) &
          make_filter<std::shared_ptr<Chunk>, void>(filter_mode::serial_in_order, write));

  if (count == 0) throw InputError(request.input.string() + " holds no completions");
  sinks.summary(fmt::format("{} of {} right ({:.2f}%), {} undecided", correct, count,
                            100.0 * static_cast<double>(correct) / static_cast<double>(count),
                            undecided));
}

GradedLine from_score(scorers::Score&& score) {
  GradedLine line;
  line.correct = score.correct;
  line.extracted = std::move(score.extracted);
  line.rule = std::move(score.rule);
  return line;
}

GradedLine score_gsm8k_line(const GradeRequest& request, const std::string& gold,
                            const std::string& completion) {
  using scorers::Gsm8kFilter;
  const Gsm8kFilter filter = request.chat ? Gsm8kFilter::kChat : Gsm8kFilter::kStrict;
  GradedLine line = from_score(scorers::score_gsm8k(gold, completion, filter));
  for (const Gsm8kFilter each :
       {Gsm8kFilter::kStrict, Gsm8kFilter::kFlexible, Gsm8kFilter::kChat}) {
    line.other.emplace_back(std::string(gsm8k_filter_name(each)) + "_correct",
                            scorers::score_gsm8k(gold, completion, each).correct);
  }
  return line;
}

GradedLine score_math_line(const GradeRequest&, const std::string& gold,
                           const std::string& completion) {
  return from_score(scorers::math::grade(gold, completion));
}

}  // namespace

void grade_gsm8k(const GradeRequest& request, const GradeSinks& sinks) {
  grade_stream(request, sinks, "gsm8k/test.jsonl", score_gsm8k_line);
}

void grade_math500(const GradeRequest& request, const GradeSinks& sinks) {
  grade_stream(request, sinks, "math500/test.jsonl", score_math_line);
}

}  // namespace fbt
