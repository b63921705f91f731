#include "command/verify_laws.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "command/option/domains.hpp"
#include "command/verify_kernels.hpp"
#include "input/bad_input.hpp"
#include "input/number.hpp"
#include "input/positions.hpp"
#include "ropewalk/law/rotation_laws.hpp"

namespace ropewalk::command {

using namespace verify;

namespace {

bool has_law(const std::vector<law_text>& laws, std::string_view name) {
  return std::any_of(laws.begin(), laws.end(), [&](const law_text& law) { return law.name == name; });
}

/// Whether a kernel, one of this library's tables or an array is judged by a law.
bool has_subject(const verification& request, const std::string& law) {
  const bool has_kernel =
      std::any_of(request.kernels.begin(), request.kernels.end(), [&](const judged_kernel& kernel) {
        return request.has_subject(kernel) && has_law(laws_of(kernel.operation()), law);
      });
  const bool has_table = std::any_of(request.tables.begin(), request.tables.end(),
                                     [&](const judged_table& table) { return has_law(table.laws, law); });
  const bool has_array =
      std::any_of(request.arrays.begin(), request.arrays.end(), [&](const given_array& array) {
        const std::vector<std::string_view> names = laws_of(array);
        return std::find(names.begin(), names.end(), law) != names.end();
      });
  return has_kernel || has_table || has_array;
}

/// An error that grows beyond PERCENT at positions up to POSITION, from "growth=PERCENT@POSITION".
fail_on::growth growth_from(std::string_view text) {
  constexpr std::string_view prefix = "growth=";
  constexpr double most_percent = 200;
  const std::size_t mark = text.find('@');
  if (!text.starts_with(prefix) || mark == text.npos) throw refusal("--fail-on", text);
  const auto percent = input::number_from<double>(text.substr(prefix.size(), mark - prefix.size()));
  const auto position = input::position_number(text.substr(mark + 1));
  if (!percent || !(*percent >= 0 && *percent <= most_percent) || !position || *position < 1 ||
      *position > largest_position)
    throw refusal("--fail-on", text);
  return {*percent, *position};
}

}  // namespace

void require_known_laws(const std::vector<std::string>& names) {
  if (names.empty()) return;
  const std::vector<std::string> known = law_names();
  refuse_comma_lists("law", names);
  for (const std::string& name : names)
    if (name == rotation_laws::same_as.name)
      throw bad_input("law", name, "only with --same-as, which names the other kernel");
    else if (std::find(known.begin(), known.end(), name) == known.end())
      throw unknown_law(name, known);
}

std::map<std::string, std::string> skipped_laws(const verify_options& options) {
  std::map<std::string, std::string> reasons;
  for (const std::string& text : options.skipped_laws) {
    const std::size_t mark = text.find('=');
    if (mark == std::string::npos || mark + 1 == text.size()) throw refusal("--skip-law", text);
    const std::string name = text.substr(0, mark);
    require_known_laws({name});
    if (std::find(options.laws.begin(), options.laws.end(), name) != options.laws.end())
      throw bad_input("skip-law", name, "a law that --law does not ask for");
    reasons[name] = text.substr(mark + 1);
  }
  return reasons;
}

void require_subjects_of_laws(const verification& request) {
  for (const std::string& name : request.laws)
    if (!has_subject(request, name))
      throw bad_input("law", name,
                      request.arrays.empty()
                          ? "a law of the selected kernels or, if no kernel, model or target "
                            "is selected, of tables; see --list"
                          : fmt::format("one of {}, which the arrays are held to",
                                        fmt::join(laws_of(request.arrays.front()), ", ")));
}

asked_calls calls_from(const verify_options& options) {
  asked_calls calls;
  if (!options.positions.empty()) {
    const std::string_view text = options.positions;
    const std::size_t colon = std::min(text.find(':'), text.size());
    const auto begin = input::position_number(text.substr(0, colon)),
               end = input::position_number(text.substr(std::min(colon + 1, text.size())));
    if (!begin || !end || *begin < smallest_position || *end > largest_position + 1 || *begin >= *end)
      throw refusal("--positions", options.positions, "verify");
    calls.positions = {*begin, *end};
  }
  if (!options.environment.empty() && options.environment != "default" && options.environment != "all")
    throw refusal("--environment", options.environment);
  calls.every_environment = options.environment == "all";
  return calls;
}

fail_on failures_from(const verify_options& options) {
  fail_on conditions;
  for (const std::string& text : options.fail_on)
    if (text == "vacuous")
      conditions.vacuous = true;
    else if (text == "skipped")
      conditions.skipped = true;
    else
      conditions.growths.push_back(growth_from(text));
  return conditions;
}

}  // namespace ropewalk::command
