#include "search/placed_positions.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "ropewalk/config/position_range.hpp"
#include "ropewalk/encoding/rope_axes.hpp"

namespace ropewalk::search {
namespace {

constexpr std::int64_t cases_per_call = 4;  // one case in so many uses positions of the model's tokens

/// Whether a case has the model's axes, each with its own pairs.
bool has_own_axes(const case_domain& domain, const law_case& test_case) {
  const rope encoding{.rotary_dim = domain.rotary_dim};
  if (test_case.axes != axis_count(domain.axes) || test_case.axes == 1) return false;
  for (int pair = 0; pair < domain.rotary_dim / 2; ++pair)
    if (axis_of(test_case, pair) != axis_of(pair, domain.axes, encoding).axis) return false;
  return true;
}

/// Whether a law accepts positions unchanged: it needs no other positions, and no exact sums of real ones.
bool may_be_placed(const case_domain& domain, const placed_call& call) {
  const case_needs& needs = domain.needs;
  if (needs.position_zero || needs.one_range || needs.sizes) return false;
  if (needs.opposite_positions && domain.served.lacks(ROPEWALK_NO_BACKWARD)) return false;
  if (needs.second_rotation && !domain.served.has_all_positions()) return false;
  return !call.is_real || (domain.has_real_positions && !needs.second_rotation && !needs.distances);
}

}  // namespace

bool draw_placed_positions(dice& from, const case_domain& domain, law_case& test_case) {
  if (domain.calls.empty() || !has_own_axes(domain, test_case) || !from.one_in(cases_per_call)) return false;
  const placed_call& call =
      domain.calls[static_cast<std::size_t>(from.below(static_cast<std::int64_t>(domain.calls.size())))];
  if (!may_be_placed(domain, call)) return false;
  const auto tokens = static_cast<std::int64_t>(call.positions.size()) / test_case.axes;
  std::vector<double> taken(test_case.positions.size());
  for (std::int64_t row = 0; row < test_case.batch; ++row) {
    const std::int64_t last = std::max<std::int64_t>(tokens - test_case.tokens, 0);
    const std::int64_t first = from.one_in(2) ? from.between(0, last) : from.one_in(2) ? last : 0;
    for (std::int64_t axis = 0; axis < test_case.axes; ++axis)
      for (std::int64_t token = 0; token < test_case.tokens; ++token)
        taken[static_cast<std::size_t>((axis * test_case.batch + row) * test_case.tokens + token)] =
            call.positions[static_cast<std::size_t>(axis * tokens + (first + token) % tokens)];
  }
  const served_calls& served = domain.served;
  const auto [begin, end] = served.positions();
  if (!std::all_of(taken.begin(), taken.end(), [&](double position) {
        return call.is_real ? served.has_real_position(position)
                            : position >= static_cast<double>(begin) && position < static_cast<double>(end);
      }))
    return false;
  test_case.positions = std::move(taken);
  test_case.has_real_positions = call.is_real;
  return true;
}

}  // namespace ropewalk::search
