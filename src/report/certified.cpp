#include "report/certified.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "output/record.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "sweep/certificate.hpp"

namespace ropewalk::report {
namespace {

using input::json;
using sweep::certificate;
using sweep::certified_part;
using sweep::format_tally;
using sweep::hard_case;

std::string positions_text(const certified_part& part) {
  return fmt::format("{} .. {}", part.positions.begin, part.positions.end - 1);
}

std::string times_text(const certified_part& part) { return part.computations == 2 ? "twice" : "once"; }

std::string hardest_text(const format_tally& tally) {
  if (tally.hardest.empty()) return "none near a tie";
  const hard_case& entry = tally.hardest.front();
  return fmt::format("{} of pair {} at {}, 2^{:.1f} ulp from a tie", entry.place.is_sin ? "sin" : "cos",
                     entry.place.pair, entry.place.position, std::log2(entry.distance));
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// Visits every format of a certificate: visit(part, tally).
template <class Visit>
void for_each_tally(const certificate& certificate, Visit visit) {
  for (const certified_part& part : certificate.parts)
    for (const format_tally& tally : part.counts) visit(part, tally);
}

std::string uncertified_text(const model::model& read_model, const std::string& table) {
  return fmt::format("{}: table {} has no certificate. Check all its entries: {}",
                     model::recorded_name(read_model), table, sweep::command_for(read_model));
}

void print_text(const certificate& certificate, const model::model& read_model) {
  std::cout << fmt::format("{}: every entry of its table was checked: {}, {} pairs\n",
                           model::recorded_name(read_model), sweep::path_of(certificate), certificate.pairs);
  std::cout << fmt::format("{:<6} {:<15} {:>13} {:>8} {:>8} {:>10} {}\n", "format", "positions", "entries",
                           "computed", "exactly", "undecided", "hardest");
  for_each_tally(certificate, [](const certified_part& part, const format_tally& tally) {
    std::cout << fmt::format("{:<6} {:<15} {:>13} {:>8} {:>8} {:>10} {}\n", name_of(tally.dtype),
                             positions_text(part), tally.entries, times_text(part), tally.exactly,
                             tally.undecided, hardest_text(tally));
  });
}

void print_markdown(const certificate& certificate) {
  std::cout << "| format | positions | entries | computed | sent to exact arithmetic | undecided | hardest | "
               "certificate |\n"
               "|---|---|---|---|---|---|---|---|\n";
  for_each_tally(certificate, [&](const certified_part& part, const format_tally& tally) {
    std::cout << fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", name_of(tally.dtype),
                             positions_text(part), tally.entries, times_text(part), tally.exactly,
                             tally.undecided, hardest_text(tally), sweep::path_of(certificate));
  });
}

json record_of(const certificate& certificate) {
  json formats = json::array();
  for_each_tally(certificate, [&](const certified_part& part, const format_tally& tally) {
    json row = {{"dtype", name_of(tally.dtype)},
                {"positions", {part.positions.begin, part.positions.end}},
                {"entries", tally.entries},
                {"computations", part.computations},
                {"exactly", tally.exactly},
                {"undecided", tally.undecided},
                {"hardest", nullptr}};
    if (!tally.hardest.empty()) {
      const hard_case& entry = tally.hardest.front();
      row["hardest"] = {{"entry", entry.place.is_sin ? "sin" : "cos"},
                        {"pair", entry.place.pair},
                        {"position", entry.place.position},
                        {"ulps_from_tie", entry.distance}};
    }
    formats.push_back(row);
  });
  return {{"table", certificate.table},
          {"pairs", certificate.pairs},
          {"models", certificate.models},
          {"formats", formats},
          {"certificate", sweep::path_of(certificate)}};
}

/// Positions of binary64, which have a different range.
std::string wide_positions(const certificate& certificate) {
  std::string text = "none";
  for_each_tally(certificate, [&](const certified_part& part, const format_tally& tally) {
    if (tally.dtype == ROPEWALK_F64) text = positions_text(part);
  });
  return text;
}

/// A certificate's passes over all positions, which serve several formats: their counts, and the hardest case
/// of f32.
struct narrow_summary {
  std::string positions = "none";
  std::int64_t entries = 0;
  std::string exactly;
  std::string hardest;
};
narrow_summary narrow_of(const certificate& certificate) {
  narrow_summary summary;
  for_each_tally(certificate, [&](const certified_part& part, const format_tally& tally) {
    if (tally.dtype == ROPEWALK_F64) return;
    summary.positions = positions_text(part);
    summary.entries = tally.entries;
    summary.exactly += (summary.exactly.empty() ? "" : ", ") + std::to_string(tally.exactly);
    if (tally.dtype == ROPEWALK_F32) summary.hardest = hardest_text(tally);
  });
  return summary;
}

/// Prints tables without a certificate, each with the commands that make one.
void print_uncertified(const std::vector<sweep::swept_table>& without) {
  if (without.empty()) return;
  std::cout << fmt::format(
      "\nno certificate: {} tables. These commands make one in the root of the sources; the next build has "
      "it\n",
      without.size());
  for (const sweep::swept_table& table : without) {
    std::cout << fmt::format("{} {}: {} pairs\n", table.identity.substr(0, 8), joined(table.models),
                             table.pairs);
    for (const std::string& command : sweep::commands_for(table)) std::cout << "  " << command << "\n";
  }
}

}  // namespace

void print_certified(const model::model& read_model, guarantees_as as) {
  const std::string table = sweep::table_identity(model::placed(read_model));
  const certificate* const certificate = sweep::certificate_for(table);
  if (as == guarantees_as::json) {
    json record =
        certificate != nullptr ? record_of(*certificate) : json{{"table", table}, {"certificate", nullptr}};
    record["model"] = model::recorded_name(read_model);
    if (certificate == nullptr) record["command"] = sweep::command_for(read_model);
    std::cout << output::pretty(record);
  } else if (certificate == nullptr) {
    std::cout << uncertified_text(read_model, table) << "\n";
  } else if (as == guarantees_as::markdown) {
    print_markdown(*certificate);
  } else {
    print_text(*certificate, read_model);
  }
}

std::string certified_share() {
  const std::vector<sweep::swept_table> tables = sweep::catalogue_tables();
  const std::size_t without = sweep::uncertified(tables, sweep::certificates()).size();
  return fmt::format("{} of {} tables of the catalogue", tables.size() - without, tables.size());
}

void print_certificates(guarantees_as as) {
  const std::vector<sweep::swept_table> without =
      sweep::uncertified(sweep::catalogue_tables(), sweep::certificates());
  if (as == guarantees_as::json) {
    json all = json::array();
    for (const certificate& certificate : sweep::certificates()) all.push_back(record_of(certificate));
    for (const sweep::swept_table& table : without)
      all.push_back({{"table", table.identity},
                     {"pairs", table.pairs},
                     {"models", table.models},
                     {"certificate", nullptr},
                     {"commands", sweep::commands_for(table)}});
    std::cout << output::pretty(all);
    return;
  }
  if (as == guarantees_as::markdown)
    std::cout << "| table | models | pairs | entries of each format | sent to exact arithmetic, by format | "
                 "hardest in f32 | f64 at positions |\n|---|---|---|---|---|---|---|\n";
  for (const certificate& certificate : sweep::certificates()) {
    const narrow_summary narrow = narrow_of(certificate);
    if (as == guarantees_as::markdown)
      std::cout << fmt::format("| [{}](certificate/{}.json) | {} | {} | {} | {} | {} | {} |\n",
                               certificate.table.substr(0, 8), certificate.file, joined(certificate.models),
                               certificate.pairs, narrow.entries, narrow.exactly, narrow.hardest,
                               wide_positions(certificate));
    else
      std::cout << fmt::format("{} {}: {} pairs at {}, hardest in f32: {}\n", certificate.table.substr(0, 8),
                               joined(certificate.models), certificate.pairs, narrow.positions,
                               narrow.hardest);
  }
  for (const sweep::swept_table& table : without)
    if (as == guarantees_as::markdown)
      std::cout << fmt::format("| {} | {} | {} | no certificate | | | |\n", table.identity.substr(0, 8),
                               joined(table.models), table.pairs);
  if (as == guarantees_as::text) print_uncertified(without);
}

}  // namespace ropewalk::report
