// Partial rotation ignored: the channels that should pass through rotate, too, by the frequencies from the
// first again.

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"
#include "fault/own_frequencies.hpp"

namespace ropewalk::fault {
namespace {

struct whole_head_steps : canonical_steps {
  rotated_layout layout(const rotated_layout& given) const {
    rotated_layout whole{given.head, given.head.head_dim / 2 * 2};
    if (given.halves.empty()) return whole;
    // The runs of axes are repeated like the frequencies; the last may be cut short.
    for (int pair = 0; pair < whole.pairs(); ++pair) {
      const int begin = pair / given.pairs() * given.pairs();
      const pair_run run = given.halves[static_cast<std::size_t>(pair - begin)];
      whole.halves.push_back({begin + run.first, std::min(run.count, whole.pairs() - begin - run.first)});
    }
    return whole;
  }

  void form(rotation_plan& plan, const ropewalk_rotation& encoding) {
    const std::vector<int> axis = plan.axis;
    plan.axis.clear();
    std::vector<own_number> turns;
    for (int pair = 0; pair < plan.layout.pairs(); ++pair) {
      const int taken = pair % (encoding.rotary_dim / 2);
      turns.push_back(plan.rows.turns(taken));
      plan.axis.push_back(axis[static_cast<std::size_t>(taken)]);
    }
    plan.rows = rope_rows(
        rope_rows::resolved{.turns = std::move(turns), .attention_factor = plan.rows.attention_factor()});
  }
};

}  // namespace

ropewalk_kernel whole_head() { return kernel_with<whole_head_steps>("fault-whole-head"); }

}  // namespace ropewalk::fault
