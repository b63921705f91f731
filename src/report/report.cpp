#include "report/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <system_error>

#include "input/bad_input.hpp"
#include "output/plain_text.hpp"
#include "search/case_generator.hpp"
#include "search/number_bits.hpp"

namespace ropewalk::report {

using output::plain_line;

using namespace verify;

namespace {

constexpr int most_inputs_shown = 8;

/// The first nonzero elements of a case, one per line, and the number of further ones.
std::string inputs_of(const law_case& test_case) {
  std::string text;
  int shown = 0;
  for (const operand which : {operand::query, operand::key}) {
    const auto& elements = elements_of(test_case, which);
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (elements[i] == 0 || ++shown > most_inputs_shown) continue;
      const auto index = static_cast<std::int64_t>(i);
      const std::int64_t head = index / test_case.head_dim, heads = heads_of(test_case, which),
                         token = head / heads;
      text += fmt::format("    {}[{}, {}, {}, {}] = {}\n", which == operand::query ? "query" : "key",
                          token / test_case.tokens, token % test_case.tokens, head % heads,
                          index % test_case.head_dim, search::text_of(test_case.dtype, elements[i]));
    }
  }
  if (shown > most_inputs_shown)
    text += fmt::format("    and {} more; every other element is 0\n", shown - most_inputs_shown);
  return text;
}

/// `is_whole`: integers, which are shown only in decimal.
std::string numbers_of(const evidence& evidence, const std::uint64_t (&bits)[2], bool is_whole = false) {
  std::string text;
  for (int i = 0; i < evidence.count; ++i) {
    const std::string number = search::text_of(evidence.dtype, bits[i]);
    text += (i == 0 ? "" : ", ") + (is_whole ? number.substr(0, number.find(' ')) : number);
  }
  return text;
}

std::string place_of(const result& result, const law_case& smallest, const place& where) {
  const int rotary_dim = smallest.rotary_dim > 0 ? smallest.rotary_dim : result.rotary_dim;
  std::string text =
      fmt::format("{} row {} token {} head {}", where.tensor == operand::query ? "query" : "key", where.row,
                  where.token, where.head);
  if (where.pair >= 0) {
    const rope_axes axes = smallest.rotary_dim > 0 ? rope_axes{} : result.axes;
    const channel_pair channels =
        channels_of(where.pair, axes, rope{.rotary_dim = rotary_dim}, result.pairing_out);
    const int begin = smallest.rotary_dim > 0 ? 0 : result.rotary_begin;
    text += fmt::format(" pair {} (channels {} and {})", where.pair, begin + channels.first,
                        begin + channels.second);
  }
  if (where.channel >= 0) text += fmt::format(" {} {}", result.has_keys ? "key" : "channel", where.channel);
  return text + ", position " + search::text_of_position(where.position, smallest.has_real_positions);
}

/// A place in a table, in words; omits head and row 0.
std::string place_in_table(const place& where) {
  std::string text;
  const auto add = [&](const char* what, std::int64_t number) {
    if (number > 0) text += fmt::format("{} {}, ", what, number);
  };
  add("head", where.head);
  add("row", where.token);
  if (where.pair >= 0) text += fmt::format("pair {}, ", where.pair);
  if (where.channel >= 0) text += fmt::format("column {}, ", where.channel);
  return text + fmt::format("position {}", where.position);
}

}  // namespace

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

std::string verdict_of(const result& result) {
  switch (finding_of(result)) {
    case finding::holds: return "holds";
    case finding::fails: return "FAILS";
    case finding::not_reproducible: return "not reproducible";
    case finding::vacuous: return "vacuous";
    case finding::measured: return "measured";
    case finding::not_judged: return "not judged";
    case finding::not_served: return "not served";
    case finding::nothing_compared:
      return result.outcome.compared > 0 ? "too few compared" : "nothing compared";
    case finding::no_bound: return "no bound";
    case finding::not_run: break;
  }
  return "not run";
}

bool is_reported(const result& result) { return result.is_shown || result.kernel == tables_label; }

results with_plain_names(results results) {
  for (result& line : results.lines)
    for (std::string* const text : {&line.kernel, &line.model, &line.reproduce}) *text = plain_line(*text);
  for (diagnosed& diagnose : results.diagnoses) {
    diagnose.kernel = plain_line(diagnose.kernel);
    for (std::string& model : diagnose.models) model = plain_line(model);
  }
  for (promise_result& promise : results.promises) promise.kernel = plain_line(promise.kernel);
  for (array_finding& array : results.arrays) array.array = plain_line(array.array);
  for (std::vector<std::string>* const texts :
       {&results.limits, &results.not_judged, &results.ended, &results.printed})
    for (std::string& name : *texts) name = plain_line(name);
  return results;
}

results with_short_names(results results) {
  std::map<std::string, std::string> short_names;  // by the names in results
  for (const result& line : results.lines) {
    const std::size_t name = line.kernel.rfind(line.is_array ? '/' : ':');
    const bool has_path = line.kernel.find_first_of("/ ") != line.kernel.npos && name != line.kernel.npos;
    short_names[line.kernel] = has_path ? line.kernel.substr(name + 1) : line.kernel;
  }
  std::map<std::string, int> count;
  for (const auto& [name, shorter] : short_names) ++count[shorter];
  std::erase_if(short_names,
                [&](const auto& item) { return count[item.second] > 1 || item.first == item.second; });
  const auto shorten = [&](std::string& text) {
    for (const auto& [name, shorter] : short_names)
      for (std::size_t at = 0; (at = text.find(name, at)) != text.npos; at += shorter.size())
        text.replace(at, name.size(), shorter);
  };
  for (result& line : results.lines) shorten(line.kernel);
  for (diagnosed& diagnose : results.diagnoses) shorten(diagnose.kernel);
  for (promise_result& promise : results.promises) shorten(promise.kernel);
  for (array_finding& array : results.arrays) shorten(array.array);
  for (std::vector<std::string>* const texts :
       {&results.limits, &results.not_judged, &results.ended, &results.printed})
    for (std::string& word : *texts) shorten(word);
  return results;
}

std::string shown_file_of(const results& results, const result& result) {
  const std::string file = file_of(results, result);
  if (file.empty()) return file;
  std::error_code unknown;
  const std::filesystem::path here = std::filesystem::current_path(unknown),
                              path = (here / file).lexically_normal(),
                              relative = path.lexically_relative(here);
  return relative.empty() || *relative.begin() == ".." ? path.string() : relative.string();
}

bool is_equality(const result& result) {
  return result.outcome.worst.bound == 0 && !result.outcome.worst.is_in_ulps;
}

std::string words_of(const totals& sum) {
  return fmt::format("{} verdict{}: {} hold, {} fail, {} not served", sum.lines, sum.lines == 1 ? "" : "s",
                     sum.count, sum.failed, sum.not_served) +
         rarer_words_of(sum);
}

std::string rarer_words_of(const totals& sum) {
  std::string text;
  if (sum.vacuous > 0) text += fmt::format(", {} vacuous", sum.vacuous);
  if (sum.measured > 0) text += fmt::format(", {} measured", sum.measured);
  if (sum.not_judged > 0) text += fmt::format(", {} not judged", sum.not_judged);
  if (sum.nothing_compared > 0) text += fmt::format(", {} compared nothing", sum.nothing_compared);
  if (sum.no_bound > 0) text += fmt::format(", {} without a bound", sum.no_bound);
  if (sum.not_run > 0) text += fmt::format(", {} not run", sum.not_run);
  return text;
}

namespace {

/// Whether an observation exists that a bound could be compared with, even if too small to judge.
bool is_observed(const result& result) {
  return is_judged(result) || (finding_of(result) == finding::not_judged && result.outcome.compared > 0);
}

}  // namespace

std::string observed_of(const result& result) {
  if (!is_observed(result)) return "-";
  if (is_equality(result)) return result.outcome.holds() ? "equal" : "differs";
  const double observed = result.outcome.worst.worst * result.outcome.worst.bound;
  return result.outcome.worst.is_in_ulps ? fmt::format("{:.4g} ulp", observed)
                                         : fmt::format("{:.4g}", observed);
}

std::string bound_of(const result& result) {
  if (!is_observed(result)) return "-";
  if (is_equality(result)) return "equal";
  if (result.outcome.worst.is_in_ulps) return "0.5 ulp";
  // Laws that compare two answers of a kernel without a promise of bits have the quantity of accuracy.
  const std::string_view norm = result.law.norm.empty() ? rotation_laws::accuracy.norm : result.law.norm;
  return fmt::format("{:.4g} {}", result.outcome.worst.bound, norm);
}

namespace {

/// The position of the second rotation, one number per axis.
std::string shift_of(const law_case& test_case) {
  std::string text;
  for (int axis = 0; axis < test_case.axes; ++axis)
    text +=
        (axis == 0 ? "" : ", ") + search::text_of_position(test_case.shift[static_cast<std::size_t>(axis)],
                                                           test_case.has_real_positions);
  return text;
}

/// The first entry of an array that breaks a law.
std::string place_in_array(const result& result) {
  const search::counterexample& failure = *result.outcome.failure;
  const evidence& evidence = failure.measured.numbers;
  std::string text = fmt::format("  {}{}\n", evidence.count > 0 ? "first at " : "", failure.table);
  if (evidence.count > 0) {
    const bool is_whole = element_name(result).starts_with("i");
    text += "    expected " + numbers_of(evidence, evidence.expected, is_whole) + "\n";
    text += "    got      " + numbers_of(evidence, evidence.bits, is_whole) + "\n";
  }
  return text + "  again:  " + result.reproduce + "\n";
}

}  // namespace

std::string counterexample_of(const result& result) {
  const search::counterexample& failure = *result.outcome.failure;
  const measurement& measured = failure.measured;
  const bool is_table = !failure.table.empty();
  if (result.is_array) return place_in_array(result);
  std::string text = fmt::format("  smallest case found ({} steps from case {}{}): {}\n", failure.shrinks,
                                 failure.case_number,
                                 failure.is_awaited ? ", not shrunk further yet"
                                 : failure.is_cut   ? ", cut for the budget"
                                                    : "",
                                 is_table ? failure.table : search::text_of(failure.smallest));
  if (result.needs.scaling) text += fmt::format("    scaled by 2^{}\n", failure.smallest.power);
  if (result.needs.second_rotation)
    text += fmt::format("    then turned by {} more\n", shift_of(failure.smallest));
  text += inputs_of(failure.smallest);
  if (measured.numbers.count > 0) {
    text += "  at " +
            (is_table ? place_in_table(measured.where) : place_of(result, failure.smallest, measured.where)) +
            "\n";
    // If the law compares two calls of the kernel, either may be wrong.
    const bool are_two_calls = result.law.name == rotation_laws::prefill_decode.name ||
                               result.law.name == rotation_laws::layouts.name;
    const std::string& call = measured.call;
    text += (are_two_calls ? "    in one call     " : "    expected ") +
            numbers_of(measured.numbers, measured.numbers.expected) +
            (call.empty() ? "" : " (all tokens at once)") + "\n";
    text += (are_two_calls ? "    in another one  " : "    got      ") +
            numbers_of(measured.numbers, measured.numbers.bits) + (call.empty() ? "" : " (" + call + ")") +
            "\n";
  }
  if (!is_equality(result))
    text += fmt::format("    observed / bound of this case: {:.4g}\n", measured.worst);
  if (!measured.trouble.empty())
    text += "  because: " + printable(measured.trouble) +
            (measured.numbers.count == 0 && !measured.call.empty() ? " (" + measured.call + ")" : "") + "\n";
  return text + "  again:  " + result.reproduce + "\n";
}

}  // namespace ropewalk::report
