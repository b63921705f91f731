#include "report/html.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <regex>
#include <sstream>

#include "fault/faults.hpp"
#include "kernel/kernels.hpp"
#include "report/html_node.hpp"
#include "report/page_files.hpp"
#include "report/recipe_choice.hpp"
#include "verify/verification.hpp"

namespace ropewalk::report::html_test {
namespace {

constexpr const char* hostile = "<img src=x onerror=hacked()>\"'&</script><script>hacked()</script>";

/// cpu-table holds; a planted fault does not, and its label is hostile.
verify::results judged() {
  verify::verification request;
  request.models.push_back({model::catalogue_model("gpt-j-6b"), "--model gpt-j-6b"});
  request.kernels.push_back({{&built_in_kernels()[2], ""}, "cpu-table", promise::canonical});
  for (const ropewalk_kernel& kernel : fault::fault_kernels())
    if (std::string_view(kernel.name) == "fault-position-off-by-one")
      request.kernels.push_back(
          {{&kernel, std::string("program:") + hostile}, "program:mine", promise::canonical});
  request.dtypes = {ROPEWALK_F32};
  request.laws = {"accuracy", "identity", "linearity"};
  request.cases = 6;
  request.allows_cut = true;
  request.quiet = true;
  static const std::atomic<bool> never{false};
  verify::results result = verify::verify(request, never);
  result.command_line = std::string("ropewalk verify --kernel ") + hostile;
  result.limits.emplace_back(hostile);
  return result;
}

measure::bench_row row_of(std::string kernel, std::string dtype, double seconds, double distance) {
  measure::bench_row row;
  row.group = "apply";
  row.kernel = std::move(kernel);
  row.dtype = std::move(dtype);
  row.pairing = "half-split";
  row.tokens = 512;
  row.heads = 32;
  row.bytes = 1e6;
  row.other = "memcpy";
  row.seconds = {seconds, seconds, seconds};
  row.ratio = {seconds / 1e-4, seconds / 1.1e-4, seconds / 0.9e-4};
  row.check = hostile;
  for (const std::int64_t limit : {2048, 131072}) row.errors.push_back({limit, true, 0.5, distance, 1});
  return row;
}

/// In f32 the right kernel is the slowest, in bf16 it is the fastest.
measure::bench_record measured() {
  measure::bench_record record;
  record.rows = {row_of("right", "f32", 4e-4, 4e-8),   row_of("worse", "f32", 2e-4, 4e-5),
                 row_of("worst", "f32", 1e-4, 4e-3),   row_of("beaten", "f32", 3e-4, 1),
                 row_of("right", "bf16", 1e-4, 0.002), row_of("worse", "bf16", 2e-4, 0.01),
                 row_of(hostile, "bf16", 3e-4, 2)};
  record.rows.back().not_timed = hostile;
  return record;
}

drawn_figure figure_of(std::string svg, std::string name = "example") {
  plot::series line{.name = "right", .x = {1, 1000, 100000}, .y = {0, 0.25, 0.5}};
  line.hints = {"a", "b", hostile};
  line.tags = {{"kernel", "right"}};
  plot::figure figure{.name = std::move(name),
                      .title = "An example",
                      .sentence = "It rises.",
                      .alt = "From 0 to 0.5.",
                      .command = hostile,
                      .panels = {{.x = {.title = "position"}, .y = {.title = "error"}, .series = {line}}}};
  return {figure, std::move(svg)};
}

page example() {
  page example;
  example.subject = "gpt-j-6b";
  example.command_line = hostile;
  example.date = "today";
  example.judged = judged();
  example.measured = measured();
  example.figures.push_back(
      figure_of("<?xml version=\"1.0\"?><svg viewBox=\"0 0 9 9\"><path d=\"M0 9L9 0\"/></svg>"));
  return example;
}

const std::string& html() {
  static const std::string html = as_html(example());
  return html;
}

/// The body, which is also XML.
const pugi::xml_document& body() {
  static const pugi::xml_document body = [] {
    pugi::xml_document document;
    const std::size_t begin = html().find("<body>"), end = html().find("<script>", begin);
    const auto read = document.load_string((html().substr(begin, end - begin) + "</body>").c_str());
    EXPECT_TRUE(read) << read.description();
    return document;
  }();
  return body;
}

std::string text_of(const pugi::xml_node& node) {
  std::string text;
  for (const pugi::xpath_node& first : node.select_nodes(".//text()")) text += first.node().value();
  return text;
}

TEST(Html, ShowsTextOfStrangersAndInterpretsNone) {
  std::string all = text_of(body());
  std::size_t count = 0;
  for (std::size_t at = all.find(hostile); at != all.npos; at = all.find(hostile, at + 1)) ++count;
  EXPECT_GT(count, 8U);
  EXPECT_EQ(html().find("<img"), std::string::npos);
  const std::string closing = "</script>";
  std::size_t scripts = 0;
  for (std::size_t at = html().find(closing); at != html().npos; at = html().find(closing, at + 1)) ++scripts;
  EXPECT_EQ(scripts, 1U);
  EXPECT_TRUE(body().select_nodes("//script | //img | //iframe | //@onerror | //@onclick").empty());
}

TEST(Html, LoadsNothing) {
  const std::regex outside("(src|href)=\"(?!#|data:)");
  EXPECT_FALSE(std::regex_search(html(), outside));
  EXPECT_EQ(html().find("url("), std::string::npos);
  EXPECT_EQ(html().find("@import"), std::string::npos);
  EXPECT_NE(html().find("default-src 'none'"), std::string::npos);
}

TEST(Html, AllowsItsOwnScriptByTheScriptsHash) {
  const std::string_view script = page_files().back().text;
  ASSERT_EQ(page_files().back().name, "page.js");
  EXPECT_NE(html().find("<script>" + std::string(script) + "</script>"), std::string::npos);
  std::smatch smatch;
  const std::regex hash("script-src 'sha256-([A-Za-z0-9+/]{43}=)'");
  ASSERT_TRUE(std::regex_search(html(), smatch, hash));
}

TEST(Html, FailingCellsLinkToTheirCounterexamples) {
  const auto links = body().select_nodes("//td[@class='fails']/a");
  ASSERT_EQ(links.size(), 2U);  // accuracy and identity; linearity holds
  for (const pugi::xpath_node& link : links) {
    const std::string id = link.node().attribute("href").value() + 1;
    const pugi::xml_node target = body().select_node(("//details[@id='" + id + "']").c_str()).node();
    ASSERT_TRUE(target);
    EXPECT_NE(text_of(target).find("smallest case found"), std::string::npos);
    EXPECT_NE(text_of(target).find("again:  ropewalk verify"), std::string::npos);
  }
  EXPECT_NE(text_of(body().select_node("//ul[@class='findings']").node())
                .find("breaks 2 laws in f32: accuracy, identity"),
            std::string::npos);
  EXPECT_NE(text_of(body().select_node("//header").node()).find("2 of 6 verdicts fail."), std::string::npos);
}

TEST(Html, RowsSayWhatFiltersAskFor) {
  for (const pugi::xpath_node& node : body().select_nodes("//table[@class='sortable wide']/tbody/tr")) {
    EXPECT_FALSE(std::string(node.node().attribute("data-kernel").value()).empty());
    EXPECT_FALSE(std::string(node.node().attribute("data-dtype").value()).empty());
  }
  const auto untimed = body().select_nodes("//table[@class='sortable wide']/tbody/tr[td='not timed']");
  ASSERT_EQ(untimed.size(), 1U);
  EXPECT_EQ(std::string(untimed.first().node().attribute("data-kernel").value()), hostile);
}

TEST(Html, AFiguresDataIsALinkThatReadsBack) {
  const pugi::xml_node link = body().select_node("//a[@download='example.json']").node();
  std::string text = link.attribute("href").value();
  const std::string begin = "data:application/json;charset=utf-8,";
  ASSERT_EQ(text.substr(0, begin.size()), begin);
  std::string json;
  for (std::size_t i = begin.size(); i < text.size(); ++i) {
    if (text[i] != '%') {
      json += text[i];
      continue;
    }
    json += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
    i += 2;
  }
  const auto read = nlohmann::json::parse(json);
  EXPECT_EQ(read["name"], "example");
  EXPECT_EQ(read["command"], hostile);
  EXPECT_EQ(read["panels"][0]["series"][0]["y"][1], 0.25);
}

TEST(Html, AFigureHasItsSentenceAndItsCommand) {
  const pugi::xml_node figure = body().select_node("//figure[@id='figure-example']").node();
  const std::string text = text_of(figure);
  for (const char* part : {"An example", "It rises.", "From 0 to 0.5.", hostile})
    EXPECT_NE(text.find(part), std::string::npos) << part;
  EXPECT_EQ(figure.select_nodes(".//svg/path").size(), 1U);
}

TEST(Html, FiguresThatAreLookedUpHaveTables) {
  page page = example();
  for (const char* name : {"wavelengths", "error-by-position"})
    page.figures.push_back(figure_of("<svg><path d=\"M0 9\"/></svg>", name));
  page.errors.push_back({"recipe-hf-f32", {1e-6, 1e-5, 1e-4, 0.0055, 0.05, 0.5, 2}});
  const std::string text = as_html(page);
  EXPECT_NE(text.find("0.0055 near position 100,000"), std::string::npos);
  const auto figure = [&](const std::string& name) {
    const std::size_t begin = text.find("<figure id=\"figure-" + name + "\"");
    return text.substr(begin, text.find("</figure>", begin) - begin);
  };
  for (const char* part : {"near 100,000", "0.0055", "data-kernel=\"recipe-hf-f32\""})
    EXPECT_NE(figure("error-by-position").find(part), std::string::npos) << part;
  for (const char* part : {"100,000", "0.25", "right"})
    EXPECT_NE(figure("wavelengths").find(part), std::string::npos) << part;
}

TEST(Html, DrawingsLoseWhatThePageSaysAlready) {
  page page = example();
  page.figures = {
      figure_of("<svg xmlns:xlink=\"x\"><g><defs><path id=\"unused\"/><path id=\"used\"/></defs><use "
                "xlink:href=\"#used\"/>"
                "<path id=\"named\" class=\"figure-s-ink\" stroke=\"#000\" fill=\"none\"/></g></svg>")};
  const std::string text = as_html(page);
  const std::size_t begin = text.find("<svg");
  EXPECT_EQ(text.substr(begin, text.find("</svg>") - begin),
            "<svg><g><defs><path id=\"f0-0\"></path></defs><use href=\"#f0-0\"></use>"
            "<path class=\"figure-s-ink\" fill=\"none\"></path></g>");
}

TEST(Html, OnlyAFailureOrAnEndedProcessIsRed) {
  page page = example();
  EXPECT_NE(as_html(page).find("verdict fails"), std::string::npos);
  page.judged = {};
  EXPECT_NE(as_html(page).find("verdict holds"), std::string::npos);
  page.judged.not_judged = {"mine: nothing judged"};
  std::string text = as_html(page);
  EXPECT_NE(text.find("verdict open"), std::string::npos);
  EXPECT_NE(text.find("Not everything was judged."), std::string::npos);
  page.judged.ended = {"mine: its process was ended by signal 11 (SIGSEGV)"};
  text = as_html(page);
  EXPECT_NE(text.find("verdict fails"), std::string::npos);
  EXPECT_NE(text.find("The process of a kernel ended, or did not answer."), std::string::npos);
}

TEST(Html, CellsAreEmbeddedUnlessTheyAreMany) {
  page page = example();
  for (const std::size_t columns : {2U, 5000U}) {
    page.figures = {figure_of("<svg><path d=\"M0 9\"/></svg>")};
    page.figures[0].figure.panels[0].cells = plot::heat_map{
        .rows = 1, .columns = columns, .values = std::vector<double>(columns, 0.375), .title = "entry"};
    const std::string text = as_html(page);
    EXPECT_EQ(text.find("0.375") != std::string::npos, columns == 2) << columns;
    EXPECT_EQ(text.find("data (JSON, without the cells)") != std::string::npos, columns != 2) << columns;
  }
}

TEST(HtmlNumbers, AreSortedByTheirValueWhateverItsSign) {
  pugi::xml_document table;
  const pugi::xml_node row = table.append_child("tr");
  for (const double value : {-1.5, 0.0, 2.0}) html::add_number(row, "text", value);
  html::add_number(row, "-", measure::not_measured);
  std::string values;
  for (const pugi::xml_node cell : row.children())
    values += cell.attribute("data-value").as_string("none") + std::string(" ");
  EXPECT_EQ(values, "-1.5 0 2 none ");
}

TEST(Html, RefusesADrawingThatIsNoSvg) {
  page broken = example();
  broken.figures.push_back(figure_of("<p>no drawing</p>"));
  EXPECT_THROW(as_html(broken), std::runtime_error);
}

TEST(RecipeChoice, TakesTheFastestThatIsAsPreciseAsTheDtype) {
  const measure::bench_record record = measured();
  const std::vector<recipe_choice> choices = recipe_choices(record);
  ASSERT_EQ(choices.size(), 4U);  // two dtypes, two limits
  const recipe_choice& f32 = choices[1];
  EXPECT_EQ(f32.limit, 131072);
  ASSERT_NE(f32.take, nullptr);
  EXPECT_EQ(f32.take->kernel, "right");
  ASSERT_EQ(f32.faster.size(), 2U);  // "beaten" is neither faster nor more precise than "worse"
  EXPECT_EQ(f32.faster[0].row->kernel, "worse");
  EXPECT_DOUBLE_EQ(f32.faster[0].times_faster, 2);
  EXPECT_NEAR(f32.faster[0].times_the_error, 1000, 1e-9);
  EXPECT_EQ(f32.faster[1].row->kernel, "worst");
  EXPECT_EQ(choices[3].take->kernel, "right");
  EXPECT_TRUE(choices[3].faster.empty());
  EXPECT_TRUE(choices[3].as_good.empty());
}

TEST(RecipeChoice, SaysWhatIsAsFastWithinTheNoise) {
  measure::bench_record record;
  record.rows = {row_of("one", "f32", 1e-4, 4e-8), row_of("other", "f32", 1.05e-4, 4e-8),
                 row_of("slower", "f32", 2e-4, 4e-8)};
  const recipe_choice choice = recipe_choices(record).front();
  EXPECT_EQ(choice.take->kernel, "one");
  ASSERT_EQ(choice.as_good.size(), 1U);
  EXPECT_EQ(choice.as_good.front()->kernel, "other");
}

TEST(RecipeChoice, TakesNoneThatIsLessPreciseOrWrong) {
  measure::bench_record record;
  record.rows = {row_of("worse", "f32", 1e-4, 1e-6), row_of("wrong", "f32", 1e-4, 1e-9)};
  record.rows.back().is_wrong = true;
  EXPECT_EQ(recipe_choices(record).front().take, nullptr);
}

TEST(HtmlNumbers, AreForReading) {
  EXPECT_EQ(html::number_text(131072), "131,072");
  EXPECT_EQ(html::number_text(-1234567), "-1,234,567");
  EXPECT_EQ(html::number_text(0), "0");
  EXPECT_EQ(html::number_text(0.00721), "0.00721");
  EXPECT_EQ(html::number_text(4.2e-8), "4.20e-8");
  EXPECT_EQ(html::number_text(1234.5), "1,234");
  EXPECT_EQ(html::number_text(std::nan("")), "-");
  EXPECT_EQ(html::positions_text(131072), "131,072");
  EXPECT_EQ(html::positions_text(std::int64_t{1} << 31), "2^31");
}

}  // namespace
}  // namespace ropewalk::report::html_test
