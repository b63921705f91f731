#pragma once
// Number of cases of a law that decide a verdict, or whether a kernel keeps a promise.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ropewalk/law/rotation_laws.hpp"

namespace ropewalk::verify {

/// Number of cases per kernel, law and dtype on the leading model. tests/search/power_exhaustive.cpp lists
/// the faults that each number catches. A case of prefill-decode takes five times as long as another law's.
/// Three dtypes together reach the number of one alone, since a kernel need not serve the fourth.
inline std::int64_t lead_cases(std::string_view law, std::size_t dtypes) {
  constexpr std::int64_t of_prefill_decode = 120, of_others = 200, most_shares = 3;
  const auto shares = std::min(static_cast<std::int64_t>(dtypes), most_shares);
  const std::int64_t all = law == rotation_laws::prefill_decode.name ? of_prefill_decode : of_others;
  return (all + shares - 1) / shares;
}

/// The largest lead_cases of any law.
inline std::int64_t most_lead_cases(std::size_t dtypes) {
  return lead_cases(rotation_laws::canonical.name, dtypes);
}

}  // namespace ropewalk::verify
