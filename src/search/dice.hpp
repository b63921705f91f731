#pragma once
// Draws from one of RapidCheck's splittable random streams: the same seed gives the same numbers on every
// machine.

#include <cstdint>
#include <string_view>

#include <rapidcheck/Random.h>

namespace ropewalk::search {

class dice {
 public:
  explicit dice(const rc::Random& random) : random_(random) {}

  std::uint64_t bits() { return random_.next(); }

  /// A number from 0 to count - 1.
  ///
  /// domain  0 < count <= 2^32
  std::int64_t below(std::int64_t count) {
    return static_cast<std::int64_t>((bits() >> 32) * static_cast<std::uint64_t>(count) >> 32);
  }

  /// A number from first to last.
  ///
  /// domain  first <= last, last - first < 2^32
  std::int64_t between(std::int64_t first, std::int64_t last) { return first + below(last - first + 1); }

  /// True in one of `count` draws, on average.
  bool one_in(std::int64_t count) { return below(count) == 0; }

 private:
  rc::Random random_;
};

/// Seed of a stream, from another seed and a name, so that a job's cases do not depend on other jobs. FNV-1a
/// is kept: another hash would draw other cases for every seed.
constexpr std::uint64_t seed_of(std::uint64_t seed, std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325 ^ seed;
  for (const char letter : name) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
  return hash;
}

}  // namespace ropewalk::search
