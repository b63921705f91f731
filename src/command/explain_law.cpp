#include "command/explain_law.hpp"

#include <algorithm>
#include <vector>

#include "command/verify_request.hpp"
#include "input/bad_input.hpp"
#include "input/unknown_name.hpp"
#include "report/law.hpp"
#include "ropewalk/law/rotation_laws.hpp"

namespace ropewalk::command {

exit_code explain_law(const std::string& name, bool as_json) {
  if (name.empty()) throw bad_input("law", "missing", allowed_laws);
  std::vector<std::string> known = law_names();
  known.emplace_back(rotation_laws::same_as.name);
  if (std::find(known.begin(), known.end(), name) == known.end())
    throw input::unknown_name("law", name, known, "`ropewalk verify --list`");
  report::print_law(name, as_json);
  return exit_code::holds;
}

}  // namespace ropewalk::command
