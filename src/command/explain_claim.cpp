#include "command/explain_claim.hpp"

#include <vector>

#include "claim/claim.hpp"
#include "input/bad_input.hpp"
#include "report/claims.hpp"

namespace ropewalk::command {
namespace {

const claim::claim& claim_of(const std::string& number, const std::vector<claim::claim>& claims) {
  for (const claim::claim& claim : claims)
    if (std::to_string(claim.number) == number) return claim;
  throw bad_input("claim", number.empty() ? "missing" : number, allowed_claims);
}

}  // namespace

exit_code explain_claim(const std::string& number, bool as_json) {
  const std::vector<claim::claim> claims = claim::all_claims();
  const claim::claim& claim = claim_of(number, claims);
  const claim::evidence evidence = claim.run();
  report::print_claim(claim, evidence, as_json);
  return evidence.shown ? exit_code::holds : exit_code::fails;
}

exit_code explain_claims(bool as_json) {
  report::print_claims(claim::all_claims(), as_json);
  return exit_code::holds;
}

}  // namespace ropewalk::command
