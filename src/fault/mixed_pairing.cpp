// The partner of one pairing with the cosine and sine of the other: a rotate_half of one convention, with
// tables of the other convention.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fault/canonical_steps.hpp"
#include "fault/known_faults.hpp"

namespace ropewalk::fault {
namespace {

/// Forward cosines and sines of the current token, and how they are used. One per thread: several threads
/// apply plans.
template <floating_format Table>
struct token_in_work {
  std::vector<bits_pair<Table>> row{};
  bool is_interleaved = false;  // the correct pairing
  bool backward = false;

  static token_in_work& of_this_thread() {
    thread_local token_in_work result;
    return result;
  }
};

struct mixed_pairing_steps : canonical_steps {
  bool derives = false;  // derives the backward pass from the forward pass, as in torch

  template <floating_format Table>
  void fill(token_row<Table>& row, const rotation_plan& plan, const token_place& place, bool unit,
            bool backward) const {
    row.fill(plan, place, unit, false);
    auto& kept = token_in_work<Table>::of_this_thread();
    kept.row.clear();
    for (int pair = 0; pair < plan.layout.pairs(); ++pair) kept.row.push_back(row.at(pair));
    kept.is_interleaved = plan.layout.head.pairing_in == pairing::interleaved;
    kept.backward = backward;
  }

  template <floating_format Float>
  void after_head(const bits_pair<Float>* before, bits_pair<Float>* after, int pairs) const {
    using wide = rotation_format<Float>;
    const auto& kept = token_in_work<wide>::of_this_thread();
    const auto pair_of = [&](int channel) { return kept.is_interleaved ? channel / 2 : channel % pairs; };
    const auto is_first = [&](int channel) {
      return kept.is_interleaved ? channel % 2 == 0 : channel < pairs;
    };
    const auto value = [&](int channel) {
      const bits_pair<Float>& at = before[pair_of(channel)];
      return is_first(channel) ? at.first : at.second;
    };
    for (int channel = 0; channel < 2 * pairs; ++channel) {
      const int partner = kept.is_interleaved ? (channel + pairs) % (2 * pairs) : channel ^ 1;
      const bool leads = channel < partner;  // the first of the two in the wrong pairing
      const bits_of<wide> cosine = kept.row[static_cast<std::size_t>(pair_of(channel))].first;
      const int of_sine = derives && kept.backward ? partner : channel;
      const bits_of<wide> sine = kept.row[static_cast<std::size_t>(pair_of(of_sine))].second;
      const bits_pair<wide> entry{cosine, kept.backward ? negate<wide>(sine) : sine};
      const bits_of<Float> turned = leads
                                        ? rotate_pair<Float>({value(channel), value(partner)}, entry).first
                                        : rotate_pair<Float>({value(partner), value(channel)}, entry).second;
      bits_pair<Float>& to = after[pair_of(channel)];
      (is_first(channel) ? to.first : to.second) = turned;
    }
  }
};

}  // namespace

std::vector<known_fault> mixed_pairings() {
  constexpr const char* sentence =
      "rotate_half and tables are of two conventions: a channel gets its partner in the other pairing, and "
      "the cosine and sine of its own";
  return {{kernel_with_steps<mixed_pairing_steps{}>("fault-mixed-pairing"), sentence},
          {kernel_with_steps<mixed_pairing_steps{{}, true}>("fault-mixed-pairing-derived"), sentence}};
}

}  // namespace ropewalk::fault
