#pragma once
// How many cases of a law decide: a verdict, and whether a promise is kept.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ropewalk/law/rotation_laws.hpp"

namespace ropewalk::verify {

/// Cases of each kernel and law in one dtype, on the model that leads. tests/search/power_exhaustive.cpp has
/// the faults that each number catches: a case of prefill-decode takes five times as long as another law's.
/// Three dtypes together reach the number of one alone: a kernel need not serve the fourth.
inline std::int64_t lead_cases(std::string_view law, std::size_t dtypes) {
  constexpr std::int64_t of_prefill_decode = 120, of_others = 200, most_shares = 3;
  const auto shares = std::min(static_cast<std::int64_t>(dtypes), most_shares);
  const std::int64_t all = law == rotation_laws::prefill_decode.name ? of_prefill_decode : of_others;
  return (all + shares - 1) / shares;
}

/// The largest of them.
inline std::int64_t most_lead_cases(std::size_t dtypes) {
  return lead_cases(rotation_laws::canonical.name, dtypes);
}

}  // namespace ropewalk::verify
