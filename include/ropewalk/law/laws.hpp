#pragma once
// The laws, in one list: what the command line names, the search tries and the tests walk.

#include <algorithm>
#include <array>
#include <string_view>

#include "ropewalk/law/accuracy.hpp"
#include "ropewalk/law/adjoint.hpp"
#include "ropewalk/law/canonical.hpp"
#include "ropewalk/law/composition.hpp"
#include "ropewalk/law/environment.hpp"
#include "ropewalk/law/extrapolation.hpp"
#include "ropewalk/law/identity.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/layouts.hpp"
#include "ropewalk/law/linearity.hpp"
#include "ropewalk/law/non_finite.hpp"
#include "ropewalk/law/norm.hpp"
#include "ropewalk/law/pass_through.hpp"
#include "ropewalk/law/prefill_decode.hpp"
#include "ropewalk/law/relative_position.hpp"
#include "ropewalk/law/round_trip.hpp"
#include "ropewalk/law/unit_rotation.hpp"

namespace ropewalk {

namespace detail {

// One line a law turns its template into a function of the case's dtype.
inline constexpr auto by_dtype = [](const law_case& given, auto measure) {
  return with_format(given.dtype, measure);
};

}  // namespace detail

inline constexpr std::array laws{
    law{"canonical",
        "every output has the canonical operation's bits",
        "",
        {.every_bit_pattern = true},
        [](const held_kernel& kernel, const law_case& given) {
          return detail::by_dtype(given,
                                  [&]<class Float>() { return measure_canonical<Float>(kernel, given); });
        }},
    law{"accuracy",
        "every pair is a R(t) x",
        "a|x|",
        {},
        [](const held_kernel& kernel, const law_case& given) {
          return detail::by_dtype(given,
                                  [&]<class Float>() { return measure_accuracy<Float>(kernel, given); });
        }},
    law{"norm",
        "|y| = a |x| in every pair",
        "a|x|",
        {},
        [](const held_kernel& kernel, const law_case& given) {
          return detail::by_dtype(given, [&]<class Float>() { return measure_norm<Float>(kernel, given); });
        }},
    law{"relative-position",
        "a score depends on the distance of its positions alone",
        "a^2|q||k|",
        {.key = true, .several_tokens = true},
        [](const held_kernel& kernel, const law_case& given) {
          return detail::by_dtype(
              given, [&]<class Float>() { return measure_relative_position<Float>(kernel, given); });
        }},
    law{"identity",
        "position 0 multiplies by a and does nothing else",
        "a|x|",
        {.position_zero = true},
        [](const held_kernel& kernel, const law_case& given) {
          return detail::by_dtype(given,
                                  [&]<class Float>() { return measure_identity<Float>(kernel, given); });
        }},
    law{"composition",
        "turning by m and then by n is a^2 R(m + n)",
        "a^2|x|",
        {},
        [](const held_kernel& kernel, const law_case& given) {
          return detail::by_dtype(given,
                                  [&]<class Float>() { return measure_composition<Float>(kernel, given); });
        }},
    law{"round-trip",
        "backward after forward is a^2 x",
        "a^2|x|",
        {},
        [](const held_kernel& kernel, const law_case& given) {
          return detail::by_dtype(given,
                                  [&]<class Float>() { return measure_round_trip<Float>(kernel, given); });
        }},
    law{"adjoint",
        "<forward x, y> = <x, backward y>",
        "a|x||y|",
        {.key = true, .as_many_key_heads = true},
        [](const held_kernel& kernel, const law_case& given) {
          return detail::by_dtype(given,
                                  [&]<class Float>() { return measure_adjoint<Float>(kernel, given); });
        }},
    law{"extrapolation",
        "accuracy holds with one constant in every range of positions",
        "a|x|",
        {.one_range = true},
        [](const held_kernel& kernel, const law_case& given) {
          return detail::by_dtype(given,
                                  [&]<class Float>() { return measure_extrapolation<Float>(kernel, given); });
        }},
    law{"prefill-decode",
        "a token comes out alike alone, in its batch and in any split of it",
        "",
        {.every_bit_pattern = true, .several_tokens = true},
        [](const held_kernel& kernel, const law_case& given) {
          return detail::by_dtype(
              given, [&]<class Float>() { return measure_prefill_decode<Float>(kernel, given); });
        }},
    law{"layouts",
        "interleaved and half-split agree through the permutation",
        "",
        {.every_bit_pattern = true},
        [](const held_kernel& kernel, const law_case& given) {
          return detail::by_dtype(given,
                                  [&]<class Float>() { return measure_layouts<Float>(kernel, given); });
        }},
    law{"pass-through",
        "channels from rotary_dim on come out bit for bit",
        "",
        {.every_bit_pattern = true, .pass_through_channels = true},
        [](const held_kernel& kernel, const law_case& given) {
          return detail::by_dtype(given,
                                  [&]<class Float>() { return measure_pass_through<Float>(kernel, given); });
        }},
    law{"non-finite",
        "a NaN or an infinity changes no other pair",
        "",
        {.every_bit_pattern = true},
        [](const held_kernel& kernel, const law_case& given) {
          return detail::by_dtype(given,
                                  [&]<class Float>() { return measure_non_finite<Float>(kernel, given); });
        }},
    law{"linearity",
        "scaling the input by 2^k scales the output's bits",
        "",
        {},
        [](const held_kernel& kernel, const law_case& given) {
          return detail::by_dtype(given,
                                  [&]<class Float>() { return measure_linearity<Float>(kernel, given); });
        }},
    law{"unit-rotation",
        "a cached key is moved without a second attention factor",
        "a|x|",
        {.attention_factor = true},
        [](const held_kernel& kernel, const law_case& given) {
          return detail::by_dtype(given,
                                  [&]<class Float>() { return measure_unit_rotation<Float>(kernel, given); });
        }},
    law{"environment",
        "the caller's floating environment changes no bit",
        "",
        {.every_bit_pattern = true, .environments = true},
        [](const held_kernel& kernel, const law_case& given) {
          return detail::by_dtype(given,
                                  [&]<class Float>() { return measure_environment<Float>(kernel, given); });
        }},
};

/// Whether a promise is judged by a law: canonical bits by none but the canonical promise.
inline bool applies(const law& of, ropewalk_promise promise) {
  return of.name != "canonical" || promise == ROPEWALK_CANONICAL;
}

/// What a law says of one case; a kernel that refuses the call has broken it, one that does not serve it has
/// declined.
///
/// throws  undecided
inline measurement measure(const law& of, const held_kernel& kernel, const law_case& given) {
  const default_floating_environment judges_own;
  try {
    return of.measure(kernel, given);
  } catch (const kernel_trouble& trouble) {
    measurement m;
    m.declined = trouble.status() == ROPEWALK_UNSUPPORTED;
    m.holds = m.declined;
    m.trouble = trouble.what();
    return m;
  }
}

}  // namespace ropewalk
