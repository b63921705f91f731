#include "plot/waves.hpp"

#include "plot/subject.hpp"
#include "ropewalk/table/sinusoidal_rows.hpp"

namespace ropewalk::plot {

wave_rows::wave_rows(const sinusoidal& config, std::int64_t count)
    : width(static_cast<std::size_t>(config.d_model)) {
  std::vector<std::uint64_t> bits(static_cast<std::size_t>(count) * width);
  sinusoidal_rows(config).rows<double>({0, count}, bits.data());
  entries.reserve(bits.size());
  for (const std::uint64_t bit : bits) entries.push_back(from_bits<double>(bit));
}

double wave_rows::product(std::size_t index, std::size_t other) const {
  double product = 0;
  for (std::size_t channel = 0; channel < width; ++channel)
    product += at(index, channel) * at(other, channel);
  return product;
}

std::vector<double> wave_rows::channel(std::size_t number) const {
  std::vector<double> channel;
  for (std::size_t position = 0; position < count(); ++position) channel.push_back(at(position, number));
  return channel;
}

double wavelength_of(int pair, const sinusoidal& config) {
  return drawn(drawn_number::of(1) / sinusoidal_turns<drawn_limbs>(pair, config, share<drawn_limbs>(config)));
}

}  // namespace ropewalk::plot
