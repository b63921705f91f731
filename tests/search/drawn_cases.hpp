#pragma once
// Domains of cases, and cases that are drawn from them.

#include <rapidcheck.h>
#include <cstdint>

#include "ropewalk/law/rotation_laws.hpp"
#include "search/case_generator.hpp"

namespace ropewalk::search {

inline case_domain domain_for(const law<checked_rotation>& law, ropewalk_dtype dtype = ROPEWALK_F32) {
  case_domain domain;
  domain.needs = law.needs;
  domain.dtype = dtype;
  domain.head_dim = 24;
  domain.rotary_dim = 16;
  domain.range = law.needs.one_range ? 13 : -1;
  domain.axes = mrope(2, 3, 3);
  return domain;
}

/// Whether some case of many satisfies `is_so`.
template <class Test>
bool some_case(const case_domain& domain, Test is_so, std::uint64_t cases_drawn = 1000) {
  for (std::uint64_t seed = 0; seed < cases_drawn; ++seed)
    if (is_so(cases(domain)(rc::Random(seed)).value())) return true;
  return false;
}

template <class Test>
bool some_case(Test is_so) {
  return some_case(domain_for(rotation_laws::canonical), is_so);
}

}  // namespace ropewalk::search
