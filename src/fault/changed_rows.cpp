// Cosines and sines that are wrong, or assigned to other pairs.

#include <bit>
#include <cstdint>

#include "fault/canonical_steps.hpp"
#include "fault/known_faults.hpp"
#include "fault/rounded_angle.hpp"

namespace ropewalk::fault {
namespace {

enum class row_change {
  exchanged,
  exchanged_derived,  // the backward pass is derived from the forward pass, as in torch
  sine_is_zero,
  sine_times_cosine,
  factor_on_sine_only,
  pairs_reversed,
  next_pair,
  pair_before,
  first_pair_for_all,
  sine_of_twice_the_pair,
  sine_of_padded_width
};

struct changed_row_steps : canonical_steps {
  row_change change = row_change::exchanged;

  template <floating_format Table>
  void fill(token_row<Table>& row, const rotation_plan& plan, const token_place& place, bool unit,
            bool backward) const {
    const int pairs = plan.layout.pairs();
    token_row<Table> right(pairs), without(pairs);
    right.fill(plan, place, unit, backward);
    without.fill(plan, place, true, backward);
    for (int pair = 0; pair < pairs; ++pair) {
      const bits_pair<Table> own = right.at(pair);
      switch (change) {
        case row_change::exchanged: row.set(pair, {own.second, own.first}); break;
        case row_change::exchanged_derived: {
          const bits_of<Table> sine = backward ? negate<Table>(own.second) : own.second;
          row.set(pair, {sine, backward ? negate<Table>(own.first) : own.first});
          break;
        }
        case row_change::sine_is_zero: row.set(pair, {own.first, bits_of<Table>{0}}); break;
        case row_change::sine_times_cosine:
          row.set(pair, {own.first, multiply<Table>(own.second, own.first)});
          break;
        case row_change::factor_on_sine_only: row.set(pair, {without.at(pair).first, own.second}); break;
        case row_change::pairs_reversed: row.set(pair, right.at(pairs - 1 - pair)); break;
        case row_change::next_pair: row.set(pair, right.at(pair + 1 < pairs ? pair + 1 : pair)); break;
        case row_change::pair_before: row.set(pair, right.at(pair > 0 ? pair - 1 : pair)); break;
        case row_change::first_pair_for_all: row.set(pair, right.at(0)); break;
        case row_change::sine_of_twice_the_pair:
          row.set(pair, {own.first, right.at(2 * pair % pairs).second});
          break;
        case row_change::sine_of_padded_width: {
          const int at = pair + static_cast<int>(std::bit_ceil(static_cast<unsigned>(pairs))) - pairs;
          row.set(pair, {own.first, at < pairs ? right.at(at).second : bits_of<Table>{0}});
          break;
        }
      }
    }
  }
};

/// Position, frequency and angle in binary16, which is infinite from 65520 on.
struct binary16_angle_steps : canonical_steps {
  template <floating_format Table>
  void fill(token_row<Table>& row, const rotation_plan& plan, const token_place& place, bool unit,
            bool backward) const {
    fill_by_angle(row, plan, place, unit, backward, [](double position, double inv_freq) {
      return rounded(rounded(static_cast<double>(position)) * rounded(inv_freq));
    });
  }

 private:
  static double rounded(double number) {
    return from_bits<double>(convert<double, binary16>(convert<binary16, double>(to_bits(number))));
  }
};

}  // namespace

std::vector<known_fault> changed_rows() {
  using enum row_change;
  return {
      {kernel_with_steps<changed_row_steps{{}, exchanged}>("fault-row-exchanged"),
       "cosine and sine are exchanged"},
      {kernel_with_steps<changed_row_steps{{}, exchanged_derived}>("fault-row-exchanged-derived"),
       "cosine and sine are exchanged"},
      {kernel_with_steps<changed_row_steps{{}, sine_is_zero}>("fault-row-without-sine"),
       "the sine is left out"},
      {kernel_with_steps<changed_row_steps{{}, sine_times_cosine}>("fault-sine-times-cosine"),
       "the sine is multiplied by the cosine: rotate_half reads what was multiplied by the cosine already"},
      {kernel_with_steps<changed_row_steps{{}, factor_on_sine_only}>("fault-attention-sin-only"),
       "the attention factor is applied to the sine only"},
      {kernel_with_steps<changed_row_steps{{}, pairs_reversed}>("fault-pairs-reversed"),
       "the pairs have each other's frequencies, in reverse order"},
      {kernel_with_steps<changed_row_steps{{}, next_pair}>("fault-pair-next"),
       "each pair has the frequency of the next one"},
      {kernel_with_steps<changed_row_steps{{}, pair_before}>("fault-pair-before"),
       "each pair has the frequency of the one before"},
      {kernel_with_steps<changed_row_steps{{}, first_pair_for_all}>("fault-pair-first"),
       "every pair has the frequency of the first"},
      {kernel_with_steps<changed_row_steps{{}, sine_of_twice_the_pair}>("fault-sine-of-twice-the-pair"),
       "each pair has the sine of the pair twice as far"},
      {kernel_with_steps<changed_row_steps{{}, sine_of_padded_width}>("fault-sine-of-padded-width"),
       "the sines are read as far behind the cosines as if there were a power of two of these"},
      {kernel_with<binary16_angle_steps>("fault-angle-f16"), "position, frequency and angle are in binary16"},
  };
}

}  // namespace ropewalk::fault
