#include "diagnosis/table_cause.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <utility>

#include "diagnosis/array_contents.hpp"
#include "diagnosis/axes_fits.hpp"
#include "diagnosis/axes_hypotheses.hpp"
#include "diagnosis/engines.hpp"
#include "diagnosis/fitted_hypotheses.hpp"
#include "diagnosis/seen_frequencies.hpp"
#include "diagnosis/token_hypotheses.hpp"
#include "diagnosis/wrong_entries.hpp"

namespace ropewalk::diagnosis {
namespace {

constexpr std::int64_t least_places = 16;   // small positions, where bounds are tight
constexpr std::int64_t even_places = 1024;  // spread over the whole array
constexpr std::int64_t longest_power = 31;  // positions next to each power of two up to this one

/// The place of a position in a range; nullopt if it is outside.
void add_position(std::set<std::int64_t>& to, const given_array& array, std::int64_t position) {
  const position_range& range = array.positions.listed().range;
  if (position >= range.begin && position < range.end) to.insert(position - range.begin);
}

/// The largest magnitude of a row's positions.
double size_of_row(const tables::row_positions& positions, std::int64_t row) {
  double size = 0;
  for (int axis = 0; axis < positions.axes(); ++axis)
    size = std::max(size, std::abs(positions.at(row, axis)));
  return size;
}

/// Places to inspect, by increasing position: small positions, those next to powers of two, where formats and
/// lengths end, and others spread over the array.
std::vector<std::int64_t> places_of(const given_array& array, std::int64_t count) {
  std::set<std::int64_t> chosen;
  if (has_positions(array.layout) && array.positions.is_range())
    for (const int sign : {1, -1}) {
      for (std::int64_t position = 0; position < least_places; ++position)
        add_position(chosen, array, sign * position);
      for (int power = 0; power <= longest_power; ++power)
        for (const int beside : {-1, 0, 1})
          add_position(chosen, array, sign * ((std::int64_t{1} << power) + beside));
    }
  const std::int64_t spread = std::min(count, even_places);
  for (std::int64_t i = 0; i < spread; ++i)
    chosen.insert(i * (count - 1) / std::max<std::int64_t>(spread - 1, 1));
  for (const std::int64_t place : array.places)
    if (place >= 0 && place < count) chosen.insert(place);
  std::vector<std::int64_t> places(chosen.begin(), chosen.end());
  if (has_positions(array.layout))
    std::stable_sort(places.begin(), places.end(), [&](std::int64_t a, std::int64_t b) {
      return size_of_row(array.positions, a) < size_of_row(array.positions, b);
    });
  return places;
}

/// Whether a hypothesis allows a place; false if the promise cannot bound its table.
bool is_allowed(const table_hypothesis& hypothesis, array_reader& reader, std::int64_t place,
                const promise& promised) {
  try {
    return hypothesis.table->allows(reader, place, promised);
  } catch (const std::invalid_argument&) {
    return false;
  }
}

/// The hypotheses that allow every place. `wrong` is tried first: it excludes most of them.
std::vector<named_fault> explaining(array_reader& reader, const std::vector<table_hypothesis>& hypotheses,
                                    std::int64_t wrong, const std::vector<std::int64_t>& places,
                                    const promise& promised) {
  std::vector<const table_hypothesis*> left;
  for (const table_hypothesis& hypothese : hypotheses)
    if (is_allowed(hypothese, reader, wrong, promised)) left.push_back(&hypothese);
  for (const std::int64_t place : places) {
    if (left.empty()) break;
    std::erase_if(left, [&](const table_hypothesis* hypothesis) {
      return !is_allowed(*hypothesis, reader, place, promised);
    });
  }
  std::vector<named_fault> explaining;
  for (const table_hypothesis* hypothesis : left)
    explaining.push_back({hypothesis->name, hypothesis->sentence});
  return explaining;
}

/// Whether exactly one of several frequencies, or of other numbers without positions, is wrong. Another base
/// or factor changes several; near the expected one, it would explain any number that is off by an ulp.
bool is_one_alone(array_reader& reader, const table_suspects& suspects,
                  const std::vector<std::int64_t>& places, const promise& promised) {
  if (has_positions(reader.array().layout) || places.size() <= 2) return false;
  return std::count_if(places.begin(), places.end(), [&](std::int64_t place) {
           return !suspects.right->allows(reader, place, promised);
         }) == 1;
}

}  // namespace

table_cause explain_table(const given_array& array, const table_suspects& suspects, const promise& promised) {
  array_reader reader(array);
  table_cause table;
  if (reader.places() == 0) return table;
  const std::vector<std::int64_t> places = places_of(array, reader.places());
  table.looked_at = static_cast<std::int64_t>(places.size());
  const auto wrong = std::find_if(places.begin(), places.end(), [&](std::int64_t place) {
    return !suspects.right->allows(reader, place, promised);
  });
  if (wrong == places.end()) return table;
  table.faults = explaining(reader, suspects.known(), *wrong, places, promised);
  if (table.faults.empty() && suspects.fitted && !is_one_alone(reader, suspects, places, promised)) {
    table.faults = explaining(reader, suspects.fitted(reader, promised, places), *wrong, places, promised);
    if (!table.faults.empty()) table.faults.resize(1);  // the others are the same with longer numbers
  }
  if (table.faults.empty()) {
    table.verdict = table_verdict::not_explained;
    table.common = shared_by_wrong_entries(reader, suspects, places, promised);
  } else {
    table.verdict = table_verdict::explained;
    table.sentence = sentence_of_all(table.faults);
  }
  return table;
}

rotary_diagnosis::rotary_diagnosis(model::model read_model, const tables::row_positions* on_axes)
    : model_(std::move(read_model)) {
  suspects_.right = right_table(on_axes != nullptr ? model::placed(model_) : placed_rope{model_.encoding});
  suspects_.known = [this, on_axes]() -> const std::vector<table_hypothesis>& {
    if (!hypotheses_.empty()) return hypotheses_;
    hypotheses_ = on_axes != nullptr ? axes_hypotheses(model::placed(model_)) : table_hypotheses(model_);
    const auto add = [this](std::vector<table_hypothesis> more) {
      for (table_hypothesis& hypothesis : more) hypotheses_.push_back(std::move(hypothesis));
    };
    if (on_axes != nullptr) add(token_hypotheses(model_, *on_axes));
    add(content_hypotheses());
    return hypotheses_;
  };
  using looked_at = std::vector<std::int64_t>;
  suspects_.fitted = [this, on_axes](array_reader& array, const promise& promised, const looked_at& places) {
    return on_axes != nullptr ? fitted_axes_hypotheses(array, model_, promised, places)
                              : fitted_hypotheses(array, model_, promised);
  };
  suspects_.seen = [this, on_axes](array_reader& array, const promise& promised, const looked_at& places) {
    return on_axes != nullptr ? axes_in_words(array, model_, promised, places, *suspects_.right)
                              : frequencies_in_words(array, model_.encoding, promised);
  };
}

table_cause rotary_diagnosis::explain(const given_array& array, const promise& promised) {
  table_cause cause = explain_table(array, suspects_, promised);
  cause.sentence += as_engines_do(model_, cause.faults);
  return cause;
}

std::string text_of(const table_cause& cause) {
  switch (cause.verdict) {
    case table_verdict::holds: return "every inspected entry keeps the promise";
    case table_verdict::explained: return cause.sentence;
    case table_verdict::not_explained: break;
  }
  return "not explained by any known mistake; the wrong entries have in common: " + cause.common;
}

}  // namespace ropewalk::diagnosis
