#include "report/sweep.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "output/plain_text.hpp"
#include "ropewalk/kernel/dtype.hpp"

namespace ropewalk::report {
namespace {

std::string place(const sweep::entry_place& at) {
  return fmt::format("{} of position {}, pair {}", at.is_sin ? "sin" : "cos", at.position, at.pair);
}

std::string bits(ropewalk_dtype dtype, std::uint64_t bits) {
  return fmt::format("{:#0{}x}", bits, 2 + 2 * size_of(dtype));
}

/// "llama-3-8b and 2 more".
std::string names(const std::vector<std::string>& models) {
  const std::string first = output::plain_line(models.front());
  return models.size() == 1 ? first : fmt::format("{} and {} more", first, models.size() - 1);
}

std::string wrong_lines(const sweep::format_tally& tally, bool verbose) {
  if (tally.wrong == 0) return "";
  std::string text;
  const double share = 100.0 * static_cast<double>(tally.wrong) / static_cast<double>(tally.entries);
  text += fmt::format("        wrong: {:.3g} % of all\n", share);
  const auto line = [&](const char* what, const sweep::wrong_case& test_case) {
    text +=
        fmt::format("        {}: {:.3g} at {}: {}, not {}\n", what, test_case.error, place(test_case.place),
                    bits(tally.dtype, test_case.bits), bits(tally.dtype, test_case.correct));
  };
  if (tally.largest_error) line("largest error", *tally.largest_error);
  if (tally.largest_in_steps) line("most steps off", *tally.largest_in_steps);
  if (verbose)
    for (std::size_t bin = 1; bin < tally.by_steps.size(); ++bin)
      if (tally.by_steps[bin] != 0)
        text += fmt::format("        {:.0f} steps or more: {}\n", std::ldexp(1.0, static_cast<int>(bin) - 1),
                            tally.by_steps[bin]);
  return text;
}

std::string hard_line(const sweep::format_tally& tally, const sweep::hard_case& entry) {
  return fmt::format("2^{:.1f} ulp from a tie: {} is {}", std::log2(entry.distance), place(entry.place),
                     bits(tally.dtype, entry.bits));
}

}  // namespace

std::string sweep_as_text(const sweep::work_range& range, const sweep::results& results, bool verbose) {
  std::string text;
  for (std::size_t i = 0; i < range.tables.size(); ++i) {
    const sweep::swept_table& table = range.tables[i];
    text += fmt::format("{}, {} pairs, positions {}:{}\n", names(table.models), table.pairs,
                        table.positions.begin, table.positions.end);
    for (const sweep::format_tally& tally : results.of_table(i)) {
      text += fmt::format("  {:<5} {} entries, {} wrong, {} by exact arithmetic, {} undecided\n",
                          name_of(tally.dtype), tally.entries, tally.wrong, tally.exactly, tally.undecided);
      text += wrong_lines(tally, verbose);
      if (tally.hardest.empty()) continue;
      text += "        hardest: " + hard_line(tally, tally.hardest.front()) + "\n";
      if (verbose)
        for (std::size_t at = 1; at < tally.hardest.size(); ++at)
          text += "                 " + hard_line(tally, tally.hardest[at]) + "\n";
    }
  }
  text += fmt::format("{} of {} units done", results.done(), results.units());
  if (results.damaged() != 0) text += fmt::format(", {} damaged lines left out", results.damaged());
  if (results.repeated() != 0) text += fmt::format(", {} done twice and counted once", results.repeated());
  return text + "\n";
}

}  // namespace ropewalk::report
