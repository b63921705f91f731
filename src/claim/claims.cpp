#include "claim/claims.hpp"

#include <algorithm>

namespace ropewalk::claim {

std::vector<claim> all_claims() {
  std::vector<claim> all;
  for (const auto& of_topic : claims_by_topic) {
    const std::vector<claim> some = of_topic();
    all.insert(all.end(), some.begin(), some.end());
  }
  std::sort(all.begin(), all.end(), [](const claim& a, const claim& b) { return a.number < b.number; });
  return all;
}

}  // namespace ropewalk::claim
