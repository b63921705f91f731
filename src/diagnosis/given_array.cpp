#include "diagnosis/given_array.hpp"

#include <cstring>

#include "output/decimal.hpp"

namespace ropewalk::diagnosis {

const std::vector<double>& array_reader::at(std::int64_t place) {
  if (place == kept_) return numbers_;
  kept_ = place;
  numbers_.clear();
  tables::visit_element(array_->dtype, [&]<class Element>() {
    bytes_.resize(static_cast<std::size_t>(grid_.columns()) * sizeof(Element));
    for (int plane = 0; plane < rows_of_a_place(); ++plane) {
      array_->read(place + plane * array_->positions.rows(), bytes_.data());
      for (std::size_t at = 0; at < bytes_.size(); at += sizeof(Element)) {
        Element element{};
        std::memcpy(&element, bytes_.data() + at, sizeof element);
        if constexpr (floating_format<Element>)
          numbers_.push_back(output::to_double<Element>(to_bits(element)));
        else
          numbers_.push_back(element);
      }
    }
  });
  return numbers_;
}

}  // namespace ropewalk::diagnosis
