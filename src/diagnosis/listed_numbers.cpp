#include "diagnosis/listed_numbers.hpp"

#include <cmath>
#include <utility>

#include "ropewalk/law/judge/bound.hpp"
#include "ropewalk/numeric/upper_binary64.hpp"

namespace ropewalk::diagnosis {
namespace {

using fault::own_number;

class listed_numbers : public suspected_table {
 public:
  listed_numbers(std::int64_t count, std::function<own_number(std::int64_t)> number_at, double error)
      : count_(count), number_at_(std::move(number_at)), error_(error) {}

  bool allows(array_reader& array, std::int64_t place, const promise& /*promised*/) const override {
    if (array.places() != count_) return false;
    const double observed = array.at(place).front();
    if (!std::isfinite(observed)) return false;
    const own_number exact = number_at_(place);
    const double bound = bound_of(array.array().dtype, upper_binary64(absolute(exact)));
    return compare(absolute(own_number::of(observed) - exact), own_number::of(bound)) != order::greater;
  }

 private:
  double bound_of(tables::table_dtype dtype, double size) const {
    return tables::visit_element(dtype, [&]<class Element>() {
      if constexpr (floating_format<Element>) {
        using ropewalk::detail::above, ropewalk::detail::product_up, ropewalk::detail::sum_up;
        const double relative = sum_up(error_, product_up(unit_roundoff<Element>, above(1 + error_)));
        return sum_up(product_up(relative, size), smallest_subnormal<Element>);
      } else {
        return 0.0;
      }
    });
  }

  std::int64_t count_;
  std::function<own_number(std::int64_t)> number_at_;
  double error_;
};

}  // namespace

std::shared_ptr<const suspected_table> table_of_numbers(std::int64_t count,
                                                        std::function<own_number(std::int64_t)> number_at,
                                                        double error) {
  return std::make_shared<const listed_numbers>(count, std::move(number_at), error);
}

std::shared_ptr<const suspected_table> table_of_numbers(std::vector<own_number> exact, double error) {
  const auto count = static_cast<std::int64_t>(exact.size());
  const auto number_at = [numbers = std::move(exact)](std::int64_t place) {
    return numbers[static_cast<std::size_t>(place)];
  };
  return table_of_numbers(count, number_at, error);
}

}  // namespace ropewalk::diagnosis
