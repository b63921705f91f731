#include "diagnosis/given_array.hpp"

#include <cstring>

#include "export/decimal.hpp"

namespace ropewalk::diagnosis {

const std::vector<double>& array_reader::at(std::int64_t place) {
  if (place == kept_) return numbers_;
  kept_ = place;
  numbers_.clear();
  output::in_format(of_->dtype, [&]<class Float>() {
    bytes_.resize(static_cast<std::size_t>(grid_.columns()) * sizeof(bits_of<Float>));
    for (int plane = 0; plane < rows_of_a_place(); ++plane) {
      of_->read(place + plane * of_->positions.size(), bytes_.data());
      for (std::size_t at = 0; at < bytes_.size(); at += sizeof(bits_of<Float>)) {
        bits_of<Float> bits{};
        std::memcpy(&bits, bytes_.data() + at, sizeof bits);
        numbers_.push_back(output::to_double<Float>(bits));
      }
    }
  });
  return numbers_;
}

}  // namespace ropewalk::diagnosis
