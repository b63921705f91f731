// Positions in another format, wrapped, clamped, or negated.

#include <string>
#include <utility>

#include "fault/canonical_steps.hpp"
#include "fault/known_faults.hpp"
#include "fault/own_frequencies.hpp"
#include "fault/position_map.hpp"

namespace ropewalk::fault {
namespace {

struct mapped_position_steps : canonical_steps {
  position_map map{};
  bool is_of_model = false;        // the map uses the model's max_position_embeddings
  bool of_real_positions = false;  // whole positions are correct

  void form(rotation_plan& /*plan*/, const ropewalk_rotation& encoding) {
    if (!is_of_model) return;
    const std::optional<own_configuration> own = own_configuration_of(encoding);
    const std::int64_t length = own ? own->max_position_embeddings : 0;
    map = length > 0 && !has_map_of_its_own(length) ? position_map{map.change, length} : position_map{};
  }

  template <floating_format Table>
  void fill(token_row<Table>& row, const rotation_plan& plan, const token_place& place, bool unit,
            bool backward) const {
    if (place.is_real()) return fill_real(row, plan, place, unit, backward);
    if (of_real_positions) return row.fill(plan, place, unit, backward);
    row.fill_from(plan, place, backward,
                  [&](std::int64_t position, bits_of<Table>* cos, bits_of<Table>* sin) {
                    if (map.change == position_change::half_after) {
                      plan.rows.row<Table>(static_cast<double>(position) + 0.5, unit, cos, sin);
                    } else if (const std::optional<std::int64_t> taken = map(position)) {
                      plan.rows.row<Table>(*taken, unit, cos, sin);
                    } else {
                      std::fill_n(cos, plan.layout.pairs(), format<Table>::quiet_nan);
                      std::fill_n(sin, plan.layout.pairs(), format<Table>::quiet_nan);
                    }
                  });
  }

  template <floating_format Table>
  void fill_real(token_row<Table>& row, const rotation_plan& plan, const token_place& place, bool unit,
                 bool backward) const {
    for (int pair = 0; pair < plan.layout.pairs(); ++pair) {
      const double position = place.real_position(plan.axis[static_cast<std::size_t>(pair)]);
      const std::optional<double> taken = map.real(position);
      if (!taken) {
        row.set(pair, {format<Table>::quiet_nan, format<Table>::quiet_nan});
        continue;
      }
      const cos_sin_bits<Table> entry = plan.rows.entry<Table>(pair, *taken, unit);
      row.set(pair, {entry.cos, backward ? negate<Table>(entry.sin) : entry.sin});
    }
  }
};

template <mapped_position_steps steps>
known_fault fault_of_positions(const std::string& name, std::string sentence) {
  return {kernel_with_steps<steps>(kept_name("fault-positions-" + name)), std::move(sentence)};
}

}  // namespace

std::vector<known_fault> mapped_real_positions() {
  std::vector<known_fault> positions;
  for_each_real_position_map([&]<position_map map>(const std::string& name, std::string sentence) {
    positions.push_back({kernel_with_steps<mapped_position_steps{{}, map, false, true}>(
                             kept_name("fault-real-positions-" + name)),
                         std::move(sentence)});
    positions.back().kernel.limits = &any_pairing_and_position;
  });
  return positions;
}

std::vector<known_fault> mapped_positions() {
  std::vector<known_fault> positions;
  const auto add = [&]<position_map map>(const std::string& name, std::string sentence) {
    positions.push_back(fault_of_positions<mapped_position_steps{{}, map}>(name, std::move(sentence)));
  };
  for_each_position_map(add);
  [&]<int... powers>(std::integer_sequence<int, powers...>) {
    (for_each_length_map<least_position_power + powers>(add), ...);
  }
  (std::make_integer_sequence<int, most_position_power - least_position_power + 1>());
  using enum position_change;
  add.operator()<position_map{modulo, 1 << 24}>("modulo-16777216", "every position is taken modulo 16777216");
  positions.push_back(fault_of_positions<mapped_position_steps{{}, {modulo, 0}, true}>(
      "modulo-model", "every position is taken modulo max_position_embeddings"));
  positions.push_back(fault_of_positions<mapped_position_steps{{}, {clamped, 0}, true}>(
      "clamped-model", "every position is clamped to 0 to max_position_embeddings - 1"));
  positions.push_back(fault_of_positions<mapped_position_steps{{}, {clamped_above, 0}, true}>(
      "clamped-above-model", "every position above max_position_embeddings - 1 is clamped to it"));
  return positions;
}

}  // namespace ropewalk::fault
