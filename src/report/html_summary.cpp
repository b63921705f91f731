// The page's summary: passed and failed verdicts, the errors of the usual way, and the kernels to choose.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "measure/interval.hpp"
#include "report/html_sections.hpp"
#include "report/once.hpp"
#include "report/recipe_choice.hpp"
#include "report/report.hpp"
#include "ropewalk/kernel/dtype.hpp"

namespace ropewalk::report::html {

using measure::bench_row;

namespace {

constexpr std::int64_t usual_limit = 131072;  // positions: usual for current models
constexpr std::string_view usual_recipe = "recipe-hf-f32";

/// A kernel's broken laws, and their places.
struct broken_laws {
  std::string kernel;
  std::vector<std::string> laws{};
  std::vector<std::string> dtypes{};
};

std::vector<broken_laws> broken_laws_of(const verify::results& results) {
  std::vector<broken_laws> laws;
  for (const verify::result& line : results.lines) {
    if (line.outcome.holds()) continue;
    auto place = std::find_if(laws.begin(), laws.end(),
                              [&](const auto& other) { return other.kernel == line.kernel; });
    if (place == laws.end()) place = laws.insert(laws.end(), {line.kernel});
    add_once(place->laws, std::string(line.law.name));
    add_once(place->dtypes, element_name(line));
  }
  return laws;
}

/// Adds one sentence per failing kernel.
void add_broken_laws(node list, const verify::results& results) {
  for (const broken_laws& law : broken_laws_of(results)) {
    node item = add(list, "li");
    add(item, "code", law.kernel);
    add_text(item, fmt::format(" breaks {} in {}: ",
                               law.laws.size() == 1 ? "a law" : fmt::format("{} laws", law.laws.size()),
                               fmt::join(law.dtypes, ", ")));
    add(item, "strong", fmt::format("{}", fmt::join(law.laws, ", ")));
    add_text(item, ".");
    const auto cause = std::find_if(results.diagnoses.begin(), results.diagnoses.end(),
                                    [&](const auto& value) { return value.kernel == law.kernel; });
    if (cause != results.diagnoses.end()) add_text(item, " Cause: " + text_of(cause->cause) + ".");
  }
}

/// "0.0055 near position 100,000"; empty if the recipe was not measured there.
std::string usual_error_there(const page& page) {
  constexpr std::int64_t position = 100000;
  const auto place =
      std::find(reported_positions.begin(), reported_positions.end(), position) - reported_positions.begin();
  for (const reported_errors& errors : page.errors)
    if (errors.kernel == usual_recipe)
      return fmt::format("{} near position {}",
                         number_text(errors.distances.at(static_cast<std::size_t>(place))),
                         positions_text(position));
  return {};
}

/// "1.2e-4 below 2,048, ...": the recipe's errors in binary32.
std::string usual_errors_below(const measure::bench_record& record) {
  std::string errors;
  const auto row = std::find_if(record.rows.begin(), record.rows.end(), [](const bench_row& timed_row) {
    return timed_row.kernel == usual_recipe && timed_row.group == "apply" &&
           timed_row.dtype == name_of(ROPEWALK_F32);
  });
  if (row == record.rows.end()) return errors;
  for (const measure::error_below& error : row->errors)
    if (error.is_served)
      errors += fmt::format("{}{} below {}", errors.empty() ? "" : ", ", number_text(error.distance),
                            positions_text(error.limit));
  return errors;
}

void add_usual_error(node list, const page& page) {
  const std::string there = usual_error_there(page), below = usual_errors_below(page.measured);
  if (there.empty() && below.empty()) return;
  node item = add(list, "li");
  add_text(item, "Hugging Face's way (");
  add(item, "code", usual_recipe);
  add_text(item, ") puts a pair's (cos, sin) off by up to ");
  if (!there.empty()) add(item, "strong", there);
  if (!there.empty() && !below.empty()) add_text(item, "; at worst by ");
  add_text(item, below +
                     ". The points lie on a circle around 0, so an error of twice its radius is the "
                     "largest possible.");
}

void add_advice(node list, const std::vector<recipe_choice>& choices) {
  for (const recipe_choice& choice : choices) {
    if (choice.limit != usual_limit) continue;
    node item = add(list, "li");
    add_text(item, fmt::format("For {} positions in {}, ", positions_text(choice.limit), choice.dtype));
    if (choice.take == nullptr) {
      add_text(item, "no timed kernel is as precise as the dtype.");
      continue;
    }
    add_text(item, "take ");
    add(item, "code", choice.take->kernel);
    add_text(item,
             fmt::format(
                 ": {:.3g} times the time of {}, with an error of at most {}, which is the rounding to {}.",
                 choice.take->ratio.median, choice.take->other.empty() ? "memcpy" : choice.take->other,
                 number_text(choice.distance), choice.dtype));
    if (!choice.take->noise.empty())
      add_text(item, fmt::format(" (Its run was too noisy to show a change of {:.0f} %.)",
                                 measure::smallest_change * 100));
    if (choice.in_binary64 != nullptr) {
      add_text(item,
               " In code of your own: form position x frequency in binary64, once per position, and keep "
               "its cosine and sine in binary32 for all heads. ");
      add(item, "code", choice.in_binary64->kernel);
      add_text(item, fmt::format(" does so for each call, with an error of at most {}.",
                                 number_text(distance_below(*choice.in_binary64, choice.limit))));
    }
    for (const bench_row* other : choice.as_good) {
      add_text(item, " ");
      add(item, "code", other->kernel);
      add_text(item, " is as precise, and as fast within the noise.");
    }
    if (choice.faster.empty()) {
      add_text(item, " No timed kernel is faster.");
      continue;
    }
    const faster_kernel& fastest = choice.faster.back();
    add_text(item, " ");
    add(item, "code", fastest.row->kernel);
    add_text(item, fmt::format(" is {:.3g} times as fast, with {} times the error.", fastest.times_faster,
                               number_text(fastest.times_the_error)));
  }
}

void add_faster(node cell, const recipe_choice& choice) {
  if (choice.take == nullptr) return add_text(cell, "-");
  if (choice.faster.empty()) return add_text(cell, "no timed kernel is faster");
  for (const faster_kernel& faster : choice.faster) {
    if (&faster != &choice.faster.front()) add_text(cell, "; ");
    add(cell, "code", faster.row->kernel);
    add_text(cell, fmt::format(" {:.3g} x faster, {} x the error", faster.times_faster,
                               number_text(faster.times_the_error)));
  }
}

void add_choices(node to, const std::vector<recipe_choice>& choices) {
  if (choices.empty()) return;
  add(to, "h3", "Which kernel to take");
  const auto sized =
      std::find_if(choices.begin(), choices.end(), [](const auto& item) { return item.take != nullptr; });
  add(to, "p",
      "The fastest kernel whose error is no larger than the dtype's own rounding, by dtype and number of "
      "positions, and the speed gained by less precision.");
  if (sized != choices.end())
    add_classed(to, "p", "quiet",
                fmt::format("Compared are whole calls on {} tokens of {} heads, {}.",
                            number_text(static_cast<double>(sized->take->tokens)), sized->take->heads,
                            sized->take->pairing));
  node body = add_table(to, "Which kernel to take",
                        {{"dtype"},
                         {"positions below", "", true},
                         {"take"},
                         {"/ memcpy", "time of a call, divided by that of a copy of the same bytes", true},
                         {"error", "largest distance of a pair from the exact (cos, sin)", true},
                         {"rounding", "the distance due to the dtype's rounding", true},
                         {"a step down"}},
                        true);
  for (const recipe_choice& choice : choices) {
    node row = add(body, "tr");
    set(row, "data-dtype", choice.dtype);
    add(row, "td", choice.dtype);
    add_number(row, positions_text(choice.limit), static_cast<double>(choice.limit));
    add(add(row, "td"), "code", choice.take == nullptr ? "none" : choice.take->kernel);
    const double ratio = choice.take == nullptr ? measure::not_measured : choice.take->ratio.median;
    add_number(row, number_text(ratio), ratio);
    add_number(row, number_text(choice.distance), choice.distance);
    add_number(row, number_text(choice.rounding), choice.rounding);
    add_faster(add(row, "td"), choice);
  }
}

}  // namespace

void add_summary(node to, const page& page) {
  node section = add(to, "section");
  section.append_attribute("id") = "summary";
  add(section, "h2", "Summary");
  node list = add_classed(section, "ul", "findings");
  const std::vector<recipe_choice> choices = recipe_choices(page.measured, page.attention_factor);
  add_broken_laws(list, page.judged);
  add_advice(list, choices);
  add_usual_error(list, page);
  if (!list.first_child()) section.remove_child(list);
  add_choices(section, choices);
}

}  // namespace ropewalk::report::html
