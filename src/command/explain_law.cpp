#include "command/explain_law.hpp"

#include <algorithm>
#include <vector>

#include "command/option/domains.hpp"
#include "input/bad_input.hpp"
#include "report/law.hpp"
#include "ropewalk/law/rotation_laws.hpp"

namespace ropewalk::command {

exit_code explain_law(const std::string& name, bool as_json) {
  if (name.empty()) throw bad_input("law", "missing", law_domain().text);
  std::vector<std::string> known = law_names();
  known.emplace_back(rotation_laws::same_as.name);
  if (std::find(known.begin(), known.end(), name) == known.end()) throw unknown_law(name, known);
  report::print_law(name, as_json);
  return exit_code::holds;
}

}  // namespace ropewalk::command
