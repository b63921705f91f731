#include "diagnosis/suspect_list.hpp"

#include <algorithm>

#include "fault/known_faults.hpp"

namespace ropewalk::diagnosis {
void suspect_list::add(std::string name, std::string sentence, rotary_suspect suspect) {
  if (is_same_table(suspect, right_)) return;
  made_.push_back({std::move(name), std::move(sentence), table_of(std::move(suspect), divided_)});
}

void suspect_list::add_known(const std::string& name, rotary_suspect suspect) {
  add(name, fault::sentence_of("fault-" + name), std::move(suspect));
}

void suspect_list::add_units() {
  const own_number whole_turn = own_number::of(2) * pi<rope_rows::limb_count>();
  add("turns-as-radians", "frequencies in turns are taken as radians",
      with_frequencies_times(right_, own_number::of(1) / whole_turn));
  add("radians-as-turns", "frequencies in radians are taken as turns",
      with_frequencies_times(right_, whole_turn));
  add("radians-as-degrees", "frequencies in radians are taken as degrees",
      with_frequencies_times(right_, whole_turn / own_number::of(360)));
  rotary_suspect other = right_;
  for (own_number& inv_freq : other.inv_freqs)
    if (!may_be_zero(inv_freq)) inv_freq = own_number::of(1) / inv_freq;
  add("wavelengths", "each entry is the reciprocal of the frequency",
      with_frequencies_times(std::move(other), own_number::of(1)));
}

void suspect_list::add_formats() {
  const rotary_suspect rounded = with_rounded_frequencies<bfloat16>(right_);
  add_known("frequencies-bf16", rounded);
  add_known("frequencies-f16", with_rounded_frequencies<binary16>(right_));
  rotary_suspect angle = right_;
  angle.rounds_angles = true;
  add("angle-bf16", "the angle is formed in bfloat16", angle);
  angle = rounded;
  angle.rounds_angles = true;
  angle.positions = {fault::position_change::in_bfloat16};
  add("all-bf16", "position, frequency and angle are in bfloat16", angle);
}

/// The frequencies in other places. `at(pair)` is the source pair of the entry.
template <class At>
rotary_suspect suspect_list::with_pairs(At at) const {
  rotary_suspect suspect = right_;
  for (std::size_t pair = 0; pair < suspect.inv_freqs.size(); ++pair) {
    suspect.inv_freqs[pair] = right_.inv_freqs[at(pair)];
    suspect.frequency_errors[pair] = right_.frequency_errors[at(pair)];
  }
  return suspect;
}

void suspect_list::add_pairs() {
  const std::size_t last = right_.inv_freqs.size() - 1;
  add_known("pairs-reversed", with_pairs([&](std::size_t pair) { return last - pair; }));
  add_known("pair-next", with_pairs([&](std::size_t pair) { return std::min(pair + 1, last); }));
  add_known("pair-before", with_pairs([&](std::size_t pair) { return pair > 0 ? pair - 1 : pair; }));
  add_known("pair-first", with_pairs([](std::size_t) { return std::size_t{0}; }));
  rotary_suspect still = right_;
  for (own_number& inv_freq : still.inv_freqs) inv_freq = own_number::of(0);
  add("frequencies-zero", "the frequencies were not initialised: all are 0", still);
  for (own_number& inv_freq : still.inv_freqs) inv_freq = own_number::of(1);
  add("frequencies-one", "the frequencies were not initialised: all are 1", still);
}

void suspect_list::add_position(const std::string& name, std::string sentence,
                                const fault::position_map& map) {
  rotary_suspect suspect = right_;
  suspect.positions = map;
  add("positions-" + name, std::move(sentence), std::move(suspect));
}

void suspect_list::add_rounded_positions() {
  using enum fault::position_change;
  add_position("truncated", "coordinates are truncated to whole numbers", {truncated});
  add_position("rounded-up", "coordinates are rounded to whole numbers, and centres between two upward",
               {rounded_up});
  add_position("rounded-even", "coordinates are rounded to whole numbers, and centres between two to even",
               {rounded_even});
}

rotary_suspect suspect_list::with_entries(const entry_change& change) const {
  rotary_suspect suspect = right_;
  suspect.entries = change;
  return suspect;
}

void suspect_list::add_entries() {
  add_known("row-exchanged", with_entries({.is_exchanged = true}));
  add("sine-negated", "every sine has the other sign", with_entries({.negates_sine = true}));
  add("other-arrangement", "cosines and sines alternate, where each have a part of the row, or the reverse",
      with_entries({.has_other_arrangement = true}));
  rotary_suspect none = right_;
  none.sin_factor = own_number::of(0);
  add_known("row-without-sine", none);
}

void suspect_list::add_positions(std::int64_t length) {
  const auto each = [&]<fault::position_map map>(const std::string& name, std::string sentence) {
    add_position(name, std::move(sentence), map);
  };
  fault::for_each_position_map(each);
  add_position("after", fault::sentence_of("fault-position-off-by-one"),
               {fault::position_change::added_to, 1});
  [&]<int... powers>(std::integer_sequence<int, powers...>) {
    (fault::for_each_length_map<fault::least_position_power + powers>(each), ...);
  }
  (std::make_integer_sequence<int, fault::most_position_power - fault::least_position_power + 1>());
  if (length <= 0 || fault::has_map_of_its_own(length)) return;
  for (const auto& [name, change] : {std::pair{"modulo-model", fault::position_change::modulo},
                                     std::pair{"clamped-above-model", fault::position_change::clamped_above}})
    add_position(name, fault::sentence_of(std::string("fault-positions-") + name), {change, length});
}

}  // namespace ropewalk::diagnosis
