#include "ropewalk/law/kernel/layouts.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/law/kernel/prefill_decode.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

namespace detail {

/// The heads with their rotated channels moved from one pairing to another.
inline std::vector<std::uint64_t> relaid(const checked_rotation& kernel, const law_case& given,
                                         const std::vector<std::uint64_t>& elements, pairing from,
                                         pairing to) {
  std::vector<std::uint64_t> r = elements;
  const auto width = static_cast<std::size_t>(given.head_dim);
  for (std::size_t start = 0; start < elements.size(); start += width)
    for (int pair = 0; pair < kernel.pairs(); ++pair) {
      const channel_pair source = kernel.channels_as(pair, from), target = kernel.channels_as(pair, to);
      r[start + static_cast<std::size_t>(target.first)] =
          elements[start + static_cast<std::size_t>(source.first)];
      r[start + static_cast<std::size_t>(target.second)] =
          elements[start + static_cast<std::size_t>(source.second)];
    }
  return r;
}

}  // namespace detail

/// The case in the other three layouts, against the kernel's own: equal bits, or agreement_bound.
template <floating_format Float>
measurement measure_layouts(const checked_rotation& kernel, const law_case& given) {
  const rotated whole = kernel.turned(given);
  const head_layout own = kernel.layout();
  const auto relaid = [&](const std::vector<std::uint64_t>& elements, pairing from, pairing to) {
    return detail::relaid(kernel, given, elements, from, to);
  };
  measurement m;
  for (const pairing in : detail::pairings_of(kernel))
    for (const pairing out : detail::pairings_of(kernel)) {
      if (detail::is_own_layout(kernel, in, out) || !kernel.served().serves(in, out)) continue;
      law_case other = given;
      other.query = relaid(given.query, own.pairing_in, in);
      other.key = relaid(given.key, own.pairing_in, in);
      try {
        rotated answer = kernel.turned(other, in, out);
        answer.query = relaid(answer.query, out, own.pairing_out);
        answer.key = relaid(answer.key, out, own.pairing_out);
        detail::judge_part<Float>(m, kernel, given, whole, given, answer, 0, 0);
      } catch (const declined_plan&) {
        continue;  // a layout that is not served
      } catch (const kernel_trouble& trouble) {
        if (trouble.status() != ROPEWALK_UNSUPPORTED) throw;
        m.declined = true;
        m.trouble = trouble.what();
      }
    }
  return m;
}

measurement rotation_laws::judge_layouts(const checked_rotation& kernel, const law_case& given) {
  return with_format(given.dtype, [&]<class Float>() { return measure_layouts<Float>(kernel, given); });
}

}  // namespace ropewalk
