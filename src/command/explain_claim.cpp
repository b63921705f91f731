#include "command/explain_claim.hpp"

#include <charconv>
#include <vector>

#include "claim/claim.hpp"
#include "input/bad_input.hpp"
#include "report/claims.hpp"

namespace ropewalk::command {
namespace {

const claim::claim& claim_of(const std::string& number, const std::vector<claim::claim>& all) {
  int wanted = 0;
  const auto read = std::from_chars(number.data(), number.data() + number.size(), wanted);
  if (read.ec == std::errc() && read.ptr == number.data() + number.size())
    for (const claim::claim& one : all)
      if (one.number == wanted) return one;
  throw bad_input("claim", number.empty() ? "missing" : number,
                  "a number that `ropewalk explain claims` lists");
}

}  // namespace

exit_code explain_claim(const std::string& number, bool as_json) {
  const std::vector<claim::claim> all = claim::all_claims();
  const claim::claim& one = claim_of(number, all);
  const claim::evidence seen = one.run();
  report::print_claim(one, seen, as_json);
  return seen.shown ? exit_code::holds : exit_code::fails;
}

exit_code explain_claims(bool as_json) {
  report::print_claims(claim::all_claims(), as_json);
  return exit_code::holds;
}

}  // namespace ropewalk::command
