#include "ropewalk/law/addition/accuracy.hpp"

#include <cstddef>
#include <cstdint>

#include "ropewalk/law/addition/sums.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

namespace detail {

template <int N, floating_format Float>
enclosure<N> exact_number(bits_of<Float> bits) {
  return {exact_dyadic_of_bits<N, Float>(bits), {}};
}

template <floating_format Float>
measurement measure_sum_accuracy(const checked_addition& kernel, const law_case& test_case) {
  const pair_bound bound = addition_bound<Float>(kernel.promised());
  const rotated done = kernel.sums(test_case, {.repeated = true});
  measurement measured;
  measured.has_other_bits =
      depends_on_address(kernel, done, [&](const call_form& form) { return kernel.sums(test_case, form); });
  for_each_sum<Float>(kernel, test_case, done, [&](const place& where, auto x, auto got, auto entry) {
    if (!is_finite<Float>(x) || where.channel >= kernel.truth().added()) return;
    const auto size = [&]<int N>(const enclosure<N>& t) {
      return absolute(exact_number<N, Float>(x)) + absolute(t);
    };
    const auto exact = [&]<int N>() {
      return kernel.truth().template exact<N>(where.position, static_cast<int>(where.head), where.channel);
    };
    const enclosure<2> reach = size(exact.template operator()<2>());
    if (!is_judged<Float>(reach * reach)) return;
    const auto show = [&] { return evidence{dtype_of<Float>, 1, {x}, {add_entry<Float>(x, entry)}, {got}}; };
    if (kernel.promised() == promise::exact)
      return judge_element<Float>(
          measured, where, got,
          [&]<int N>() { return exact_number<N, Float>(x) + exact.template operator()<N>(); }, show);
    if (!is_finite<Float>(got)) return record(measured, judge_equal(false, bound.relative), where, show);
    record(measured,
           judge(bound.relative,
                 [&]<int N>() -> error_and_bound<N> {
                   const enclosure<N> t = exact.template operator()<N>();
                   return {absolute(exact_number<N, Float>(got) - exact_number<N, Float>(x) - t),
                           enclosure<N>::of(bound.relative) * size(t) + enclosure<N>::of(bound.absolute)};
                 }),
           where, show);
  });
  return measured;
}

}  // namespace detail

measurement addition_laws::judge_accuracy(const checked_addition& kernel, const law_case& test_case) {
  return with_format(test_case.dtype,
                     [&]<class Float>() { return detail::measure_sum_accuracy<Float>(kernel, test_case); });
}

}  // namespace ropewalk
