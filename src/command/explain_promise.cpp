#include "command/explain_promise.hpp"

#include <algorithm>
#include <iterator>

#include "input/unknown_name.hpp"
#include "report/promise.hpp"
#include "ropewalk/kernel/promise.hpp"

namespace ropewalk::command {

exit_code explain_promise(const std::string& name, bool as_json, const model::model* of) {
  const bool is_known = std::any_of(std::begin(promises), std::end(promises),
                                    [&](const promise_description& one) { return one.name == name; });
  if (!name.empty() && !is_known)
    throw input::unknown_name("promise", name, input::names_in(promises), "`ropewalk verify --list`");
  report::print_promise(name, as_json, of);
  return exit_code::holds;
}

}  // namespace ropewalk::command
