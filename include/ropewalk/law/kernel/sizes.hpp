#pragma once
// Sizes: each head gives the same result as in a small call, whatever the size of the call and the head's
// place in memory. Cases have many heads, every usual head_dim, offsets beyond 32 bits, empty calls,
// sequences of one token and of none, and elements that begin and end anywhere in a page.

#include <cstdint>

#include "ropewalk/law/judge/bound.hpp"
#include "ropewalk/law/kernel/checked_rotation.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

namespace detail {

/// Memory that a case of the law takes.
std::int64_t bytes_of(const law_case& test_case);

}  // namespace detail

namespace rotation_laws {

measurement judge_sizes(const checked_rotation& kernel, const law_case& test_case);

inline constexpr law<checked_rotation> sizes{
    .name = "sizes",
    .statement = "a head comes out alike in calls of every size and wherever it lies in memory",
    .norm = "a|x|",
    .equality = "equal bits where the kernel promises canonical bits",
    .proof = "proofs/kernel/rotation_bound.md, theorems 7 to 13",
    .catches = "fault-offset-32",
    .trivial = trivial_bound,
    .needs = {.sizes = true},
    .measure = judge_sizes};

}  // namespace rotation_laws

}  // namespace ropewalk
