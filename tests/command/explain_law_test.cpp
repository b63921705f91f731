// ropewalk explain law: every law with its bound, its proof and a fault, as the laws themselves state them.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "command/explain_law.hpp"
#include "command/option/domains.hpp"
#include "command/program.hpp"
#include "ropewalk/law/addition/sums.hpp"
#include "ropewalk/law/addition_laws.hpp"
#include "ropewalk/law/rotation_laws.hpp"
#include "ropewalk/law/table_laws.hpp"

namespace ropewalk::command {
namespace {

/// What `explain law` prints, without starting the program.
std::string printed_law(const std::string& name, bool as_json = false) {
  std::ostringstream to;
  std::streambuf* const before = std::cout.rdbuf(to.rdbuf());
  EXPECT_EQ(explain_law(name, as_json), exit_code::holds) << name;
  std::cout.rdbuf(before);
  return to.str();
}

nlohmann::json law_record(const std::string& name) { return nlohmann::json::parse(printed_law(name, true)); }

std::vector<std::string> subjects_of(const nlohmann::json& record) {
  std::vector<std::string> subjects;
  for (const auto& subject : record["subjects"]) subjects.push_back(subject["subject"]);
  return subjects;
}

TEST(ExplainLaw, AccuracyHasTheBoundOfEveryPromise) {
  const std::string text = printed_law("accuracy");
  const pair_bound far = accuracy_bound<float>(promise::angle_f32, 1, 131072);
  for (const std::string& part :
       {std::string("accuracy, of kernels that rotate\n  says     every pair is a R(t) x\n"),
        std::string("\n\naccuracy, of kernels that add\n  says     every element is x + t\n"),
        fmt::format("canonical      any           {:.4g} ",
                    accuracy_bound<double>(promise::canonical, 1, 0).relative),
        fmt::format("131072        0.02344    {:.4g} ", far.relative),
        fmt::format("dtype-table    {:.4g} ", addition_bound<double>(promise::dtype_table).relative),
        std::string("vacuous  from 1: a kernel that answers zeros keeps such a bound\n"),
        std::string("proof    proofs/kernel/rotation_bound.md, theorems 7 to 13\n"),
        std::string("proof    proofs/kernel/addition_bound.md\n"),
        std::string("catches  fault-tail: a tail is left unrotated")})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(ExplainLaw, JsonHasTheSameNumbers) {
  const nlohmann::json norm = law_record("norm");
  EXPECT_EQ(subjects_of(norm),
            (std::vector<std::string>{"kernels that rotate", "cosines and sines", "xPos"}));
  const nlohmann::json canonical = norm["subjects"][0]["bound"]["promises"][1];
  EXPECT_EQ(canonical["promise"], "canonical");
  const pair_bound bound = norm_bound<float>(promise::canonical, 1);
  EXPECT_EQ(canonical["bounds"][0]["formats"]["f32"]["relative"], bound.relative);
  EXPECT_EQ(canonical["bounds"][0]["formats"]["f32"]["absolute"], bound.absolute);
  EXPECT_EQ(norm["subjects"][2]["bound"]["promises"][0]["bounds"][0]["formats"]["f16"]["relative"],
            squared_norm_bound<binary16>);
}

TEST(ExplainLaw, BitsAreComparedWhereTheKernelPromisesThem) {
  const std::string text = printed_law("layouts");
  EXPECT_NE(text.find("canonical      any           equal bits\n"), std::string::npos) << text;
  const pair_bound bound = agreement_bound(accuracy_bound<double>(promise::rounded_table, 1, 0));
  EXPECT_NE(text.find(fmt::format("rounded-table  any           {:.4g} ", bound.relative)), std::string::npos)
      << text;
  EXPECT_NE(printed_law("origin").find("  bound    equal values\n"), std::string::npos);
}

TEST(ExplainLaw, EveryLawHasAllItsLines) {
  std::size_t blocks = 0;
  for (const std::string& name : law_names()) {
    std::istringstream text(printed_law(name));
    for (std::string line; std::getline(text, line);) EXPECT_LE(line.size(), 100u) << name << ": " << line;
    const nlohmann::json record = law_record(name);
    for (const auto& subject : record["subjects"]) {
      ++blocks;
      EXPECT_NE(subject["statement"], "") << name;
      EXPECT_FALSE(subject["bound"].empty()) << name << ", of " << subject["subject"];
      EXPECT_NE(subject["catches"]["sentence"], "") << name << ", of " << subject["subject"];
    }
  }
  const std::size_t laws = rotation_laws::all.size() + addition_laws::all.size() +
                           frequency_laws::all.size() + cos_sin_laws::all.size() + axes_laws::all.size() +
                           xpos_laws::all.size() + sinusoidal_laws::all.size() + slope_laws::all.size() +
                           bias_laws::all.size() + bucket_laws::all.size() + index_code_laws::all.size() +
                           query_scale_laws::all.size() + learned_laws::all.size() +
                           transformer_xl_laws::all.size() + attention_laws::all.size();
  EXPECT_EQ(blocks, laws);
}

/// Whether a document has the theorem, the theorems, the lemma or the paragraph that a law names.
bool has_statement(const std::string& text, const std::string& name) {
  const auto has = [&](const std::string& part) { return text.find(part) != std::string::npos; };
  const auto numbered = [&](const char* kind, std::size_t at) {
    return has(kind + std::to_string(std::stoi(name.substr(at))));
  };
  constexpr std::string_view section = "section 6, ";
  if (name.starts_with("theorems "))
    return numbered("**Theorem ", 9) && numbered("**Theorem ", name.find("to ") + 3);
  if (name.starts_with("theorem ")) return numbered("**Theorem ", 8);
  if (name.starts_with("lemma ")) return numbered("**Lemma ", 6);
  if (!name.starts_with(section)) return has("static_assert(" + name);
  std::string paragraph = name.substr(section.size(), name.find(" (") - section.size());
  paragraph[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(paragraph[0])));
  return has("\n## 6.") && has("\n- **" + paragraph);
}

TEST(ExplainLaw, ProofsAreWhereTheLawsSay) {
  for (const std::string& name : law_names()) {
    const nlohmann::json record = law_record(name);
    for (const auto& subject : record["subjects"])
      for (const std::string item : subject["proof"]) {
        const std::size_t comma = std::min(item.find(", "), item.size());
        const std::filesystem::path file = std::filesystem::path(ROPEWALK_SOURCE) / item.substr(0, comma);
        ASSERT_TRUE(std::filesystem::is_regular_file(file)) << name << ": " << item;
        const bool is_there = comma == item.size() || has_statement(text_of(file), item.substr(comma + 2));
        EXPECT_TRUE(is_there) << name << ": " << item;
      }
  }
}

TEST(ExplainLaw, ALawOfKernelsSaysWhyItMattersAndHowToAskOrSkipIt) {
  for (const auto& law : {rotation_laws::all.begin(), rotation_laws::all.end() - 1}) {
    const std::string name(law->name), text = printed_law(name);
    EXPECT_NE(text.find("\n  matters  "), std::string::npos) << text;
    EXPECT_NE(text.find("--law " + name + "\n"), std::string::npos) << text;
    EXPECT_NE(text.find("--skip-law " + name + "=REASON\n"), std::string::npos) << text;
  }
  const std::string seen = law_record("prefill-decode")["subjects"][0]["seen"];
  EXPECT_TRUE(seen.starts_with("Xilinx/mlir-air#1948: ")) << seen;
}

TEST(ExplainLaw, AnUnknownNameIsRefused) {
  const outcome unknown = run("explain law acuracy"), missing = run("explain law");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_EQ(unknown.out, "");
  EXPECT_NE(unknown.err.find("no law named 'acuracy'; did you mean 'accuracy'"), std::string::npos)
      << unknown.err;
  EXPECT_EQ(missing.code, 2);
  EXPECT_NE(missing.err.find("law is missing"), std::string::npos) << missing.err;
}

}  // namespace
}  // namespace ropewalk::command
