#include "results/report/report.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "results/store/experiments.h"
#include "tests/results/report/simulated_report.h"
#include "tests/results/simulate.h"
#include "tests/support/errors.h"
#include "tests/support/paths.h"

namespace fbt::results {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string between(const std::string& page, const std::string& open, const std::string& close) {
  const std::size_t begin = page.find(open) + open.size();
  return page.substr(begin, page.find(close, begin) - begin);
}

class ReportTest : public ::testing::Test {
 protected:
  std::filesystem::path file(const char* name) const { return folder_.path() / name; }
  std::string page(const std::filesystem::path& database, const ReportOptions& options = {}) const {
    return report_html({&database, 1}, options);
  }
  fbt::testing::TemporaryFolder folder_;
};

TEST_F(ReportTest, HasEverySectionOfALadder) {
  testing::write_ladder(file("ladder"));
  ReportOptions options;
  options.judge_stability = [](const StabilityCurve&) { return std::string("as the judge says"); };
  const std::string html = page(file("ladder"), options);
  for (const char* id : {"overview", "scores", "scaling", "paired-tests", "lengths", "temperatures",
                         "sweep", "stability", "probe", "settings", "samples"}) {
    EXPECT_THAT(html, HasSubstr("<h2 id=\"" + std::string(id) + "\""));
    EXPECT_THAT(html, HasSubstr("<a href=\"#" + std::string(id) + "\">"));
  }
  EXPECT_THAT(html, HasSubstr("≈ standard at"));  // data efficiency
  EXPECT_THAT(html, HasSubstr("<h3>Matched budget</h3>"));
  EXPECT_THAT(html, HasSubstr("as the judge says"));
  EXPECT_THAT(html, HasSubstr("2 of 3 windows"));
  EXPECT_EQ(html, page(file("ladder"), options));
}

TEST_F(ReportTest, LeavesOutWhatHasNoData) {
  {
    Store store(file("small"), OpenMode::kWrite);
    testing::write_run(store, testing::checkpoint("only"), testing::greedy_plan(), {});
  }
  const std::string html = page(file("small"));
  for (const char* id :
       {"scaling", "paired-tests", "temperatures", "sweep", "stability", "probe"}) {
    EXPECT_THAT(html, Not(HasSubstr("id=\"" + std::string(id) + "\"")));
  }
  EXPECT_THAT(html, HasSubstr("<h1>only</h1>"));
}

TEST_F(ReportTest, ExperimentsAloneAreAReport) {
  {
    ExperimentStore store(file("curve"), OpenMode::kWrite);
    const ExperimentId id =
        store.get_or_create(testing::checkpoint("x"), "stability", R"({"source": "text"})", 1);
    store.append(id, "000000", R"({"loss": [2.5, 2.0], "change": [0, 1.5], "tokens": 11})");
  }
  const std::string html = page(file("curve"));
  EXPECT_THAT(html, HasSubstr("id=\"stability\""));
  EXPECT_THAT(html, HasSubstr("x, text: 2 after 1 feedback steps"));
  EXPECT_THAT(html, Not(HasSubstr("id=\"scores\"")));
}

TEST_F(ReportTest, WindowsWeighByTheirTokens) {
  {
    ExperimentStore store(file("curve"), OpenMode::kWrite);
    const ExperimentId id =
        store.get_or_create(testing::checkpoint("x"), "stability", R"({"source": "text"})", 2);
    store.append(id, "000000", R"({"loss": [1.0], "change": [0], "tokens": 11})");
    store.append(id, "000001", R"({"loss": [4.0], "change": [0], "tokens": 21})");
  }
  const auto curves = read_stability(ExperimentStore(file("curve"), OpenMode::kRead));
  ASSERT_EQ(curves.size(), 1U);
  EXPECT_DOUBLE_EQ(curves[0].loss[0], (10 * 1.0 + 20 * 4.0) / 30);
}

TEST_F(ReportTest, NamesTheItemThatIsNotAnExperiments) {
  {
    ExperimentStore store(file("odd"), OpenMode::kWrite);
    const ExperimentId id = store.get_or_create(testing::checkpoint("x"), "probe", "{}", 1);
    store.append(id, "recall/standard", R"({"task": "recall"})");
  }
  EXPECT_THAT(fbt::testing::error_of([&] { page(file("odd")); }),
              HasSubstr("probe of x, item 'recall/standard'"));
}

TEST_F(ReportTest, RefusesAnEmptyFile) {
  { Store store(file("none"), OpenMode::kWrite); }
  EXPECT_THAT(fbt::testing::error_of([&] { page(file("none")); }), HasSubstr("nothing to report"));
}

TEST_F(ReportTest, HostileTextStaysText) {
  testing::write_hostile(file("hostile"));
  const std::string html = page(file("hostile"));
  EXPECT_TRUE(is_valid_utf8(html));
  EXPECT_EQ(html.find('\0'), std::string::npos);
  EXPECT_THAT(html, Not(HasSubstr("document.title='broken'</script>")));
  EXPECT_THAT(html, Not(HasSubstr("<img")));
  EXPECT_THAT(html, Not(HasSubstr("<b>evil")));
  EXPECT_THAT(html, HasSubstr("<h1>&lt;b&gt;evil&lt;/b&gt; &amp; &quot;co&quot;</h1>"));
  const auto data = nlohmann::json::parse(
      between(html, "<script id=\"sample-data\" type=\"application/json\">", "</script>"));
  EXPECT_EQ(data.at("samples").at("text").at(0), replace_invalid_utf8(testing::kHostileText));
}

TEST_F(ReportTest, PolicyAllowsItsOwnScriptAndStyleOnly) {
  testing::write_hostile(file("hostile"));
  const std::string html = page(file("hostile"));
  const std::string policy = between(html, "Content-Security-Policy\" content=\"", "\"");
  EXPECT_THAT(policy, HasSubstr("default-src 'none'"));
  EXPECT_THAT(policy, HasSubstr("script-src 'sha256-" +
                                sha256_base64(between(html, "<script>", "</script>")) + "'"));
  EXPECT_THAT(policy, HasSubstr("style-src 'sha256-" +
                                sha256_base64(between(html, "<style>", "</style>")) + "'"));
  EXPECT_THAT(policy, Not(HasSubstr("unsafe")));
}

TEST_F(ReportTest, PromptsShareTheirStart) {
  {
    Store store(file("shared"), OpenMode::kWrite);
    const Plan plan = testing::greedy_plan();
    const RunId run =
        store.get_or_create_run(store.get_or_create_checkpoint(testing::checkpoint("x")),
                                store.get_or_create_plan(plan), 3);
    const std::string head(200, 'h');
    for (Batch& batch : testing::simulate(plan, {.documents = 3})) {
      batch.documents[0].prompt = head + "\n" + batch.documents[0].prompt;
      store.append(run, batch);
    }
  }
  const std::string html = page(file("shared"));
  const auto data = nlohmann::json::parse(
      between(html, "<script id=\"sample-data\" type=\"application/json\">", "</script>"));
  EXPECT_EQ(data.at("heads").at(0), std::string(200, 'h') + "\n");
  EXPECT_EQ(data.at("documents").at("prompt").at(2), "Question 2 of gsm8k?\n");
}

}  // namespace
}  // namespace fbt::results
