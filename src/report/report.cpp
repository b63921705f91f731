#include "report/report.hpp"

#include <fmt/format.h>

#include <fstream>

#include "search/case_generator.hpp"
#include "search/number_bits.hpp"

namespace ropewalk::report {
namespace {

constexpr int most_inputs_shown = 8;

bool is_correct_rounding(const line& one) {
  const std::string_view name = one.judged_by->name;
  if (one.promise != ROPEWALK_EXACT) return false;
  return name == "accuracy" || name == "extrapolation" || (name == "identity" && one.found.worst.bound != 0);
}

bool is_equality(const line& one) {
  return one.judged_by->relative_to.empty() || (one.found.worst.bound == 0 && !is_correct_rounding(one));
}

/// The elements of the smallest case that are not zero: with the shape, all there is to it.
std::string inputs_of(const law_case& given) {
  std::string text;
  int shown = 0;
  for (const operand which : {operand::query, operand::key}) {
    const auto& elements = elements_of(given, which);
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (elements[i] == 0 || ++shown > most_inputs_shown) continue;
      const auto index = static_cast<std::int64_t>(i);
      const std::int64_t head = index / given.head_dim, heads = heads_of(given, which), token = head / heads;
      text += fmt::format("    {}[{}, {}, {}, {}] = {}\n", which == operand::query ? "query" : "key",
                          token / given.tokens, token % given.tokens, head % heads, index % given.head_dim,
                          search::text_of(given.dtype, elements[i]));
    }
  }
  if (shown > most_inputs_shown)
    text += fmt::format("    and {} more; every other element is 0\n", shown - most_inputs_shown);
  return text;
}

std::string numbers_of(const evidence& shown, const std::uint64_t (&bits)[2]) {
  std::string text = search::text_of(shown.dtype, bits[0]);
  if (shown.count == 2) text += ", " + search::text_of(shown.dtype, bits[1]);
  return text;
}

std::string place_of(const line& one, const place& where) {
  std::string text =
      fmt::format("{} row {} token {} head {}", where.tensor == operand::query ? "query" : "key", where.row,
                  where.token, where.head);
  if (where.pair >= 0) {
    const channel_pair channels = channels_of(where.pair, one.rotary_dim, one.pairing_out);
    text += fmt::format(" pair {} (channels {} and {})", where.pair, channels.first, channels.second);
  }
  if (where.channel >= 0) text += fmt::format(" {} {}", one.has_keys ? "key" : "channel", where.channel);
  return text + fmt::format(", position {}", where.position);
}

}  // namespace

totals totals_of(const report& of) {
  totals r;
  for (const line& one : of.lines) {
    ++r.lines;
    r.cases += one.found.cases;
    switch (finding_of(one)) {
      case finding::holds: ++r.held; break;
      case finding::fails:
      case finding::undecided: ++r.failed; break;
      case finding::not_served: ++r.not_served; break;
      case finding::nothing_compared: ++r.nothing_compared; break;
      case finding::no_bound: ++r.no_bound; break;
      case finding::not_run: ++r.not_run; break;
    }
  }
  return r;
}

const char* name_of(ropewalk_promise promise) {
  switch (promise) {
    case ROPEWALK_EXACT: return "exact";
    case ROPEWALK_CANONICAL: return "canonical";
    case ROPEWALK_ROUNDED_TABLE: return "rounded-table";
    case ROPEWALK_DTYPE_TABLE: return "dtype-table";
    case ROPEWALK_ANGLE_F32: return "angle-f32";
  }
  return "unknown";
}

std::string compiler() {
#ifdef __clang__
  return "clang " __clang_version__;
#else
  return "g++ " __VERSION__;
#endif
}

std::string processor() {
  std::ifstream description("/proc/cpuinfo");
  for (std::string text; std::getline(description, text);)
    if (text.starts_with("model name")) return text.substr(text.find(':') + 2);
  return "unknown";
}

finding finding_of(const line& one) {
  if (!one.found.undecided.empty()) return finding::undecided;
  if (one.found.failure) return finding::fails;
  if (!one.no_bound.empty()) return finding::no_bound;
  if (one.found.cases == 0) return one.found.declined > 0 ? finding::not_served : finding::not_run;
  return one.found.says_nothing() || one.found.compared == 0 ? finding::nothing_compared : finding::holds;
}

bool is_judged(const line& one) {
  const finding found = finding_of(one);
  return found == finding::holds || found == finding::fails || found == finding::undecided;
}

std::string verdict_of(const line& one) {
  switch (finding_of(one)) {
    case finding::holds: return "holds";
    case finding::fails: return "FAILS";
    case finding::undecided: return "undecided";
    case finding::not_served: return "not served";
    case finding::nothing_compared: return one.found.compared > 0 ? "too few compared" : "nothing compared";
    case finding::no_bound: return "no bound";
    case finding::not_run: break;
  }
  return "not run";
}

std::string words_of(const totals& sum) {
  std::string text = fmt::format("{} verdicts: {} hold, {} fail, {} not served", sum.lines, sum.held,
                                 sum.failed, sum.not_served);
  if (sum.nothing_compared > 0) text += fmt::format(", {} compared nothing", sum.nothing_compared);
  if (sum.no_bound > 0) text += fmt::format(", {} without a bound", sum.no_bound);
  if (sum.not_run > 0) text += fmt::format(", {} not run", sum.not_run);
  return text;
}

std::string observed_of(const line& one) {
  if (!is_judged(one)) return "-";
  if (is_equality(one)) return one.found.holds() ? "equal" : "differs";
  const double observed = one.found.worst.worst * one.found.worst.bound;
  return is_correct_rounding(one) ? fmt::format("{:.4g} ulp", observed) : fmt::format("{:.4g}", observed);
}

std::string bound_of(const line& one) {
  if (!is_judged(one)) return "-";
  if (is_equality(one)) return "equal";
  if (is_correct_rounding(one)) return "0.5 ulp";
  return fmt::format("{:.4g} {}", one.found.worst.bound, one.judged_by->relative_to);
}

std::string counterexample_of(const line& one) {
  if (!one.found.undecided.empty())
    return fmt::format("  undecided at the largest working precision: {}\n", one.found.undecided);
  const search::counterexample& failure = *one.found.failure;
  const measurement& measured = failure.measured;
  std::string text = fmt::format("  smallest case found ({} steps from case {}): {}\n", failure.shrinks,
                                 failure.case_number, search::text_of(failure.smallest));
  if (one.judged_by->name == "linearity") text += fmt::format("    scaled by 2^{}\n", failure.smallest.power);
  if (one.judged_by->name == "composition" || one.judged_by->name == "unit-rotation")
    text += fmt::format("    then turned by {} more\n", failure.smallest.shift);
  text += inputs_of(failure.smallest);
  if (measured.shown.count > 0) {
    text += "  at " + place_of(one, measured.where) + "\n";
    text += "    expected " + numbers_of(measured.shown, measured.shown.expected) + "\n";
    text += "    got      " + numbers_of(measured.shown, measured.shown.got) + "\n";
  }
  if (!is_equality(one)) text += fmt::format("    observed / bound: {:.4g}\n", measured.worst);
  if (!one.likely.empty()) text += "  likely: " + one.likely + "\n";
  return text + "  again:  " + one.reproduce + "\n";
}

}  // namespace ropewalk::report
