#include "command/explain_claim.hpp"

#include <vector>

#include "claim/claim.hpp"
#include "input/bad_input.hpp"
#include "report/claims.hpp"

namespace ropewalk::command {
namespace {

const claim::claim& claim_of(const std::string& number, const std::vector<claim::claim>& all) {
  for (const claim::claim& one : all)
    if (std::to_string(one.number) == number) return one;
  throw bad_input("claim", number.empty() ? "missing" : number, allowed_claims);
}

}  // namespace

exit_code explain_claim(const std::string& number, bool as_json) {
  const std::vector<claim::claim> all = claim::all_claims();
  const claim::claim& one = claim_of(number, all);
  const claim::evidence seen = one.run();
  report::print_claim(one, seen, as_json);
  return seen.shown ? exit_code::holds : exit_code::fails;
}

std::vector<std::string> claim_numbers() {
  std::vector<std::string> numbers;
  for (const claim::claim& one : claim::all_claims()) numbers.push_back(std::to_string(one.number));
  return numbers;
}

exit_code explain_claims(bool as_json) {
  report::print_claims(claim::all_claims(), as_json);
  return exit_code::holds;
}

}  // namespace ropewalk::command
