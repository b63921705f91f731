#include "ropewalk/law/kernel/layouts.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/law/kernel/prefill_decode.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

namespace detail {

/// The heads with their rotated channels moved from one pairing to another.
inline std::vector<std::uint64_t> relaid(const checked_rotation& kernel, const law_case& test_case,
                                         const std::vector<std::uint64_t>& elements, pairing from,
                                         pairing to) {
  std::vector<std::uint64_t> relaid = elements;
  const auto width = static_cast<std::size_t>(test_case.head_dim);
  for (std::size_t start = 0; start < elements.size(); start += width)
    for (int pair = 0; pair < kernel.pairs(); ++pair) {
      const channel_pair source = kernel.channels_as(pair, from), target = kernel.channels_as(pair, to);
      relaid[start + static_cast<std::size_t>(target.first)] =
          elements[start + static_cast<std::size_t>(source.first)];
      relaid[start + static_cast<std::size_t>(target.second)] =
          elements[start + static_cast<std::size_t>(source.second)];
    }
  return relaid;
}

}  // namespace detail

/// The case in the other three layouts against the kernel's own: equal bits, or agreement_bound.
template <floating_format Float>
measurement measure_layouts(const checked_rotation& kernel, const law_case& test_case) {
  const rotated whole = kernel.turned(test_case);
  const head_layout own = kernel.layout();
  const auto relaid = [&](const std::vector<std::uint64_t>& elements, pairing from, pairing to) {
    return detail::relaid(kernel, test_case, elements, from, to);
  };
  measurement measured;
  for (const pairing in : detail::pairings_of(kernel))
    for (const pairing out : detail::pairings_of(kernel)) {
      if (detail::is_own_layout(kernel, in, out) || !kernel.served().serves(in, out)) continue;
      law_case other = test_case;
      other.query = relaid(test_case.query, own.pairing_in, in);
      other.key = relaid(test_case.key, own.pairing_in, in);
      try {
        rotated answer = kernel.turned(other, in, out);
        answer.query = relaid(answer.query, out, own.pairing_out);
        answer.key = relaid(answer.key, out, own.pairing_out);
        detail::judge_part<Float>(measured, kernel, test_case, whole, test_case, answer, 0, 0);
      } catch (const declined_plan&) {
        continue;  // a layout that is not served
      } catch (const kernel_trouble& trouble) {
        if (trouble.status() != ROPEWALK_UNSUPPORTED) throw;
        measured.declined = true;
        measured.trouble = trouble.what();
      }
    }
  return measured;
}

measurement rotation_laws::judge_layouts(const checked_rotation& kernel, const law_case& test_case) {
  return with_format(test_case.dtype,
                     [&]<class Float>() { return measure_layouts<Float>(kernel, test_case); });
}

}  // namespace ropewalk
