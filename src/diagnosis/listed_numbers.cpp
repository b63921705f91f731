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
  listed_numbers(std::vector<own_number> exact, double error) : exact_(std::move(exact)), error_(error) {}

  bool allows(array_reader& array, std::int64_t place, const promise& /*promised*/) const override {
    if (array.places() != static_cast<std::int64_t>(exact_.size())) return false;
    const double observed = array.at(place).front();
    if (!std::isfinite(observed)) return false;
    const own_number& exact = exact_[static_cast<std::size_t>(place)];
    const double bound = bound_of(array.array().dtype, upper_binary64(exact));
    return compare(absolute(own_number::of(observed) - exact), own_number::of(bound)) != order::greater;
  }

 private:
  double bound_of(output::table_dtype dtype, double size) const {
    return output::visit_element(dtype, [&]<class Element>() {
      if constexpr (floating_format<Element>) {
        using ropewalk::detail::above, ropewalk::detail::product_up, ropewalk::detail::sum_up;
        const double relative = sum_up(error_, product_up(unit_roundoff<Element>, above(1 + error_)));
        return sum_up(product_up(relative, size), smallest_subnormal<Element>);
      } else {
        return 0.0;
      }
    });
  }

  std::vector<own_number> exact_;
  double error_;
};

}  // namespace

std::shared_ptr<const suspected_table> table_of_numbers(std::vector<own_number> exact, double error) {
  return std::make_shared<const listed_numbers>(std::move(exact), error);
}

}  // namespace ropewalk::diagnosis
