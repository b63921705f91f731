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
constexpr std::int64_t longest_power = 31;  // positions beside each power of two up to this one

/// The place of a position in a range; nullopt if it is outside.
void add_position(std::set<std::int64_t>& to, const given_array& array, std::int64_t position) {
  const position_range& range = array.positions.listed().range;
  if (position >= range.begin && position < range.end) to.insert(position - range.begin);
}

/// The largest magnitude of a row's positions.
double size_of_row(const output::row_positions& of, std::int64_t row) {
  double r = 0;
  for (int axis = 0; axis < of.axes(); ++axis) r = std::max(r, std::abs(of.at(row, axis)));
  return r;
}

/// Places to look at, from the smallest position on: small positions, those beside powers of two, where
/// formats and lengths end, and others spread over the array.
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
  std::vector<std::int64_t> r(chosen.begin(), chosen.end());
  if (has_positions(array.layout))
    std::stable_sort(r.begin(), r.end(), [&](std::int64_t a, std::int64_t b) {
      return size_of_row(array.positions, a) < size_of_row(array.positions, b);
    });
  return r;
}

/// Whether a hypothesis allows a place; one whose table the promise cannot bound does not.
bool is_allowed(const table_hypothesis& one, array_reader& reader, std::int64_t place,
                const promise& promised) {
  try {
    return one.table->allows(reader, place, promised);
  } catch (const std::invalid_argument&) {
    return false;
  }
}

/// The hypotheses that allow every place. `wrong` is tried first: it contradicts most of them.
std::vector<named_fault> explaining(array_reader& reader, const std::vector<table_hypothesis>& hypotheses,
                                    std::int64_t wrong, const std::vector<std::int64_t>& places,
                                    const promise& promised) {
  std::vector<const table_hypothesis*> left;
  for (const table_hypothesis& one : hypotheses)
    if (is_allowed(one, reader, wrong, promised)) left.push_back(&one);
  for (const std::int64_t place : places) {
    if (left.empty()) break;
    std::erase_if(left,
                  [&](const table_hypothesis* one) { return !is_allowed(*one, reader, place, promised); });
  }
  std::vector<named_fault> r;
  for (const table_hypothesis* one : left) r.push_back({one->name, one->sentence});
  return r;
}

/// Whether a single one of several frequencies or other numbers without positions is wrong. Another base or
/// factor changes more of them; near the expected one, it would explain any number that is off by an ulp.
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
  table_cause r;
  if (reader.places() == 0) return r;
  const std::vector<std::int64_t> places = places_of(array, reader.places());
  r.looked_at = static_cast<std::int64_t>(places.size());
  const auto wrong = std::find_if(places.begin(), places.end(), [&](std::int64_t place) {
    return !suspects.right->allows(reader, place, promised);
  });
  if (wrong == places.end()) return r;
  r.faults = explaining(reader, suspects.known(), *wrong, places, promised);
  if (r.faults.empty() && suspects.fitted && !is_one_alone(reader, suspects, places, promised)) {
    r.faults = explaining(reader, suspects.fitted(reader, promised, places), *wrong, places, promised);
    if (!r.faults.empty()) r.faults.resize(1);  // the others say the same with longer numbers
  }
  if (r.faults.empty()) {
    r.found = table_verdict::not_explained;
    r.common = shared_by_wrong_entries(reader, suspects, places, promised);
  } else {
    r.found = table_verdict::explained;
    r.sentence = sentence_of_all(r.faults);
  }
  return r;
}

rotary_diagnosis::rotary_diagnosis(model::model of, const output::row_positions* on_axes)
    : model_(std::move(of)) {
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
  table_cause r = explain_table(array, suspects_, promised);
  r.sentence += as_engines_do(model_, r.faults);
  return r;
}

std::string text_of(const table_cause& found) {
  switch (found.found) {
    case table_verdict::holds: return "every entry that was looked at keeps the promise";
    case table_verdict::explained: return found.sentence;
    case table_verdict::not_explained: break;
  }
  return "not explained by any known mistake; the wrong entries have in common: " + found.common;
}

}  // namespace ropewalk::diagnosis
