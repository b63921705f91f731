#include "command/explain_promise.hpp"

#include <algorithm>
#include <iterator>

#include "command/option/domains.hpp"
#include "input/bad_input.hpp"
#include "report/promise.hpp"
#include "ropewalk/kernel/promise.hpp"

namespace ropewalk::command {
namespace {

/// Whether all parts that are rounded are those of a rotation.
bool is_of_rotations(const promise& claim) {
  return claim.coordinate == ROPEWALK_UNROUNDED && claim.entry == ROPEWALK_UNROUNDED &&
         claim.sum == ROPEWALK_UNROUNDED;
}

}  // namespace

exit_code explain_promise(const std::string& name, bool as_json, const model::model* model) {
  const bool is_known = std::any_of(std::begin(promises), std::end(promises),
                                    [&](const promise_description& known) { return known.name == name; });
  const bool has_parts = name.find('=') != name.npos;
  if (const auto by_parts = promise_named(name); has_parts && (!by_parts || !is_of_rotations(*by_parts)))
    throw bad_input(
        "promise", name,
        "parts of a rotation: frequency, angle, table, rotation, fused, as `verify --help` has them");
  if (!name.empty() && !is_known && !has_parts) throw unknown_promise(name);
  report::print_promise(name, as_json, model);
  return exit_code::holds;
}

}  // namespace ropewalk::command
