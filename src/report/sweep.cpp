#include "report/sweep.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "export/plain_text.hpp"
#include "ropewalk/kernel/dtype.hpp"

namespace ropewalk::report {
namespace {

std::string place(const sweep::entry_place& at) {
  return fmt::format("{} of position {}, pair {}", at.is_sin ? "sin" : "cos", at.position, at.pair);
}

std::string bits(ropewalk_dtype dtype, std::uint64_t of) {
  return fmt::format("{:#0{}x}", of, 2 + 2 * size_of(dtype));
}

/// "llama-3-8b and 2 more".
std::string names(const std::vector<std::string>& models) {
  const std::string first = output::plain_line(models.front());
  return models.size() == 1 ? first : fmt::format("{} and {} more", first, models.size() - 1);
}

std::string wrong_lines(const sweep::format_tally& of, bool verbose) {
  if (of.wrong == 0) return "";
  std::string text;
  const double share = 100.0 * static_cast<double>(of.wrong) / static_cast<double>(of.entries);
  text += fmt::format("        wrong: {:.3g} % of all\n", share);
  const auto line = [&](const char* what, const sweep::wrong_case& one) {
    text += fmt::format("        {}: {:.3g} at {}: {}, not {}\n", what, one.error, place(one.place),
                        bits(of.dtype, one.given), bits(of.dtype, one.correct));
  };
  if (of.largest_error) line("largest error", *of.largest_error);
  if (of.largest_in_steps) line("most steps off", *of.largest_in_steps);
  if (verbose)
    for (std::size_t bin = 1; bin < of.by_steps.size(); ++bin)
      if (of.by_steps[bin] != 0)
        text += fmt::format("        {:.0f} steps or more: {}\n", std::ldexp(1.0, static_cast<int>(bin) - 1),
                            of.by_steps[bin]);
  return text;
}

std::string hard_line(const sweep::format_tally& of, const sweep::hard_case& one) {
  return fmt::format("2^{:.1f} ulp from a tie: {} is {}", std::log2(one.distance), place(one.place),
                     bits(of.dtype, one.bits));
}

}  // namespace

std::string sweep_as_text(const sweep::work_range& of, const sweep::results& found, bool verbose) {
  std::string text;
  for (std::size_t i = 0; i < of.tables.size(); ++i) {
    const sweep::swept_table& table = of.tables[i];
    text += fmt::format("{}, {} pairs, positions {}:{}\n", names(table.models), table.pairs,
                        table.positions.begin, table.positions.end);
    for (const sweep::format_tally& one : found.of_table(i)) {
      text += fmt::format("  {:<5} {} entries, {} wrong, {} by exact arithmetic, {} undecided\n",
                          name_of(one.dtype), one.entries, one.wrong, one.exactly, one.undecided);
      text += wrong_lines(one, verbose);
      if (one.hardest.empty()) continue;
      text += "        hardest: " + hard_line(one, one.hardest.front()) + "\n";
      if (verbose)
        for (std::size_t at = 1; at < one.hardest.size(); ++at)
          text += "                 " + hard_line(one, one.hardest[at]) + "\n";
    }
  }
  text += fmt::format("{} of {} units done", found.done(), found.units());
  if (found.damaged() != 0) text += fmt::format(", {} damaged lines left out", found.damaged());
  if (found.repeated() != 0) text += fmt::format(", {} done twice and counted once", found.repeated());
  return text + "\n";
}

}  // namespace ropewalk::report
