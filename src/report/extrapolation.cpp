#include "report/extrapolation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string_view>

#include "input/bad_input.hpp"
#include "model/record.hpp"
#include "output/record.hpp"
#include "output/terminal.hpp"

namespace ropewalk::report {
namespace {

using input::json;

// Number of positions below each length over which errors are measured.
constexpr std::int64_t error_window = 64;
constexpr alibi usual_alibi{.heads = 8};

/// All printed results, measured once.
struct extrapolation : asked_lengths {
  ropewalk::model::model model;
  std::vector<beyond_training> encodings;
  std::vector<pair_coverage> pairs;
  std::vector<extension_measurement> rules;
  std::vector<rounding_growth> growth;
  cosine_error at_trained;
  cosine_error at_target;
};

extrapolation measure(const model::model& model, const asked_lengths& lengths) {
  extrapolation f{lengths, model, {}, {}, {}, {}, {}, {}};
  const rope& config = f.model.encoding;
  f.encodings = measure_beyond_training(config, f.lengths);
  f.pairs = phase_coverage(config, f.lengths);
  f.rules = measure_extensions(config, f.lengths);
  f.growth = measure_rounding_growth(config, f.lengths, error_window);
  f.at_trained = largest_cosine_error(config, f.lengths.trained, error_window);
  f.at_target = largest_cosine_error(config, f.lengths.target, error_window);
  return f;
}

std::string percent(double share) { return fmt::format("{:.4g} %", 100 * share); }

void print_encodings(const extrapolation& f) {
  std::cout << fmt::format(
      "\n  at position or distance {}, compared with other encodings of the same width:\n",
      f.lengths.target - 1);
  std::cout << fmt::format("  {:<15} {:<7} {:>9}  {}\n", "encoding", "serves", "unseen", "of its");
  for (const beyond_training& encoding : f.encodings) {
    std::string what(encoding.quantity);
    if (!encoding.setting.empty()) what += fmt::format(" ({})", encoding.setting);
    if (!encoding.serves) what += "; " + encoding.refusal;
    std::cout << fmt::format("  {:<15} {:<7} {:>9}  {}\n", encoding.encoding, encoding.serves ? "yes" : "no",
                             percent(encoding.unseen), what);
  }
  const int last = usual_alibi.heads - 1;
  std::cout << fmt::format(
      "  attention that ALiBi gives to keys farther than {} for equal content scores: head 1 {:.3g}, "
      "head {} {:.3g}\n",
      f.lengths.trained - 1, alibi_attention_beyond(0, usual_alibi, f.lengths), last + 1,
      alibi_attention_beyond(last, usual_alibi, f.lengths));
}

void print_pairs(const extrapolation& f) {
  const coverage_summary all = summarise(f.pairs);
  const auto whole = std::count_if(f.pairs.begin(), f.pairs.end(),
                                   [](const pair_coverage& pair) { return pair.trained == 1; });
  std::cout << fmt::format(
      "\n  phases of this rope, pair by pair: {} of {} pairs came full circle in training, {} meet "
      "phases that are new\n",
      whole, all.pairs, all.unseen_pairs);
  if (all.unseen_pairs == 0) return;
  std::cout << fmt::format("  {:>6} {:>20} {:>20} {:>9}\n", "pair", "seen of the circle", "met of the circle",
                           "unseen");
  for (std::size_t pair = 0; pair < f.pairs.size(); ++pair)
    if (const pair_coverage& coverage = f.pairs[pair]; coverage.unseen > 0)
      std::cout << fmt::format("  {:>6} {:>20} {:>20} {:>9}\n", pair, percent(coverage.trained),
                               percent(coverage.met), percent(coverage.unseen));
}

void print_rules(const extrapolation& f) {
  std::cout << fmt::format(
      "\n  rules at factor {:.6g} on this rope without its own; least step: the smallest angle between "
      "neighbours, of pairs that came full circle\n",
      static_cast<double>(f.lengths.target) / static_cast<double>(f.lengths.trained));
  std::cout << fmt::format("  {:<9} {:>12} {:>12} {:>10} {:>11} {:>17}\n", "rule", "pairs unseen",
                           "mean unseen", "worst", "least step", "attention factor");
  for (const extension_measurement& compared : f.rules) {
    if (!compared.refusal.empty()) {
      std::cout << fmt::format("  {:<9} {}\n", compared.rule, compared.refusal);
      continue;
    }
    std::cout << fmt::format("  {:<9} {:>12} {:>12} {:>10} {:>11.4g} {:>17.6g}", compared.rule,
                             compared.summary.unseen_pairs, percent(compared.summary.mean_unseen),
                             percent(compared.summary.worst_unseen), compared.summary.least_step,
                             compared.attention_factor)
              << (compared.setting.empty() ? "" : fmt::format("  {}", compared.setting)) << "\n";
  }
}

std::string error_text(double error) {
  return std::isnan(error) ? "not served" : fmt::format("{:.3g}", error);
}

void print_errors(const extrapolation& f) {
  std::cout << fmt::format("\n  largest error in the last {} positions below {} and below {}\n", error_window,
                           f.lengths.trained, f.lengths.target);
  std::cout << fmt::format("  {:<11} {:>11} {:>11} {:>11} {:>11}  {}\n", "encoding", "binary32", "",
                           "bfloat16", "", "rounded once");
  for (const rounding_growth& growth : f.growth)
    std::cout << fmt::format("  {:<11} {:>11} {:>11} {:>11} {:>11}  {}\n", growth.encoding,
                             error_text(growth.binary32_at_trained), error_text(growth.binary32_at_target),
                             error_text(growth.bfloat16_at_trained), error_text(growth.bfloat16_at_target),
                             growth.quantity);
  std::cout << fmt::format("  {:<11} {:>11} {:>11} {:>11} {:>11}  {}\n", "rope",
                           error_text(f.at_trained.angle_f32), error_text(f.at_target.angle_f32), "", "",
                           "cosines, from an angle in binary32 and otherwise exact");
}

void print_extrapolation_text(const extrapolation& f) {
  const rope_scaling& rule = f.model.encoding.scaling;
  const bool was_there = rule.is<unscaled>() || rule.is<proportional>();
  std::cout << fmt::format("{}: {}\n  trained on {} positions ({}){}, asked for {} ({})\n",
                           printable(f.model.name), summary(f.model), f.lengths.trained, f.trained_from,
                           was_there ? "" : " before its scaling rule was applied", f.lengths.target,
                           f.target_from);
  print_encodings(f);
  print_pairs(f);
  print_rules(f);
  print_errors(f);
  for (const std::string& line : f.model.warnings)
    std::cout << output::coloured("warning: ", output::colour::yellow, output::stream::out) << line << "\n";
}

json record_of(const std::vector<pair_coverage>& pairs) {
  json record = json::array();
  for (const pair_coverage& pair : pairs)
    record.push_back(
        {{"trained", pair.trained}, {"met", pair.met}, {"unseen", pair.unseen}, {"step", pair.step}});
  return record;
}

json record_of(const coverage_summary& all) {
  return {{"pairs", all.pairs},
          {"unseen_pairs", all.unseen_pairs},
          {"mean_unseen", all.mean_unseen},
          {"worst_unseen", all.worst_unseen},
          {"least_step", all.least_step}};
}

json record_of(const beyond_training& length) {
  json record = {{"encoding", std::string(length.encoding)},
                 {"setting", std::string(length.setting)},
                 {"serves", length.serves},
                 {"quantity", std::string(length.quantity)},
                 {"unseen", length.unseen}};
  if (!length.serves) record["refusal"] = length.refusal;
  return record;
}

json record_of(const extension_measurement& extension) {
  json record = {{"rule", std::string(extension.rule)}, {"setting", std::string(extension.setting)}};
  if (!extension.refusal.empty()) {
    record["refusal"] = extension.refusal;
    return record;
  }
  record["summary"] = record_of(extension.summary);
  record["attention_factor"] = extension.attention_factor;
  record["pairs"] = record_of(extension.pairs);
  return record;
}

/// An error as JSON, which has neither NaN nor infinity: null if the encoding does not serve the positions,
/// "inf" if the format overflows.
json number_or_word(double error) {
  if (std::isinf(error)) return "inf";
  return std::isnan(error) ? json() : json(error);
}

json record_of(const rounding_growth& growth) {
  return {
      {"encoding", std::string(growth.encoding)},
      {"quantity", std::string(growth.quantity)},
      {"binary32", {number_or_word(growth.binary32_at_trained), number_or_word(growth.binary32_at_target)}},
      {"bfloat16", {number_or_word(growth.bfloat16_at_trained), number_or_word(growth.bfloat16_at_target)}}};
}

json record_of(std::int64_t length, const cosine_error& error) {
  return {{"length", length}, {"table", error.table}, {"angle_f32", error.angle_f32}};
}

void print_extrapolation_json(const extrapolation& f) {
  json object = {
      {"name", f.model.name},
      {"trained", {{"length", f.lengths.trained}, {"origin", f.trained_from}}},
      {"target", {{"length", f.lengths.target}, {"origin", f.target_from}}},
      {"encodings", json::array()},
      {"rope", {{"summary", record_of(summarise(f.pairs))}, {"pairs", record_of(f.pairs)}}},
      {"rules", json::array()},
      {"alibi_attention_beyond", json::array()},
      {"error",
       {{"window", error_window},
        {"lengths", {record_of(f.lengths.trained, f.at_trained), record_of(f.lengths.target, f.at_target)}}}},
      {"warnings", f.model.warnings},
      {"model", model::model_record(f.model)}};
  for (const beyond_training& encoding : f.encodings) object["encodings"].push_back(record_of(encoding));
  for (const extension_measurement& compared : f.rules) object["rules"].push_back(record_of(compared));
  object["error"]["rounded"] = json::array();
  for (const rounding_growth& growth : f.growth) object["error"]["rounded"].push_back(record_of(growth));
  for (int head = 0; head < usual_alibi.heads; ++head)
    object["alibi_attention_beyond"].push_back(alibi_attention_beyond(head, usual_alibi, f.lengths));
  std::cout << output::pretty(object);
}

}  // namespace

void print_extrapolation(const model::model& model, const asked_lengths& lengths, bool as_json) {
  const extrapolation measured = measure(model, lengths);
  as_json ? print_extrapolation_json(measured) : print_extrapolation_text(measured);
}

}  // namespace ropewalk::report
