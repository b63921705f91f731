#include "plot/waves.hpp"

#include "plot/subject.hpp"
#include "ropewalk/table/sinusoidal_rows.hpp"

namespace ropewalk::plot {

wave_rows::wave_rows(const sinusoidal& config, std::int64_t count)
    : width(static_cast<std::size_t>(config.d_model)) {
  std::vector<std::uint64_t> bits(static_cast<std::size_t>(count) * width);
  sinusoidal_rows(config).rows<double>({0, count}, bits.data());
  entries.reserve(bits.size());
  for (const std::uint64_t one : bits) entries.push_back(from_bits<double>(one));
}

double wave_rows::product(std::size_t one, std::size_t other) const {
  double r = 0;
  for (std::size_t channel = 0; channel < width; ++channel) r += at(one, channel) * at(other, channel);
  return r;
}

std::vector<double> wave_rows::channel(std::size_t which) const {
  std::vector<double> r;
  for (std::size_t position = 0; position < count(); ++position) r.push_back(at(position, which));
  return r;
}

double wavelength_of(int pair, const sinusoidal& config) {
  return drawn(drawn_number::of(1) / sinusoidal_turns<drawn_limbs>(pair, config, share<drawn_limbs>(config)));
}

}  // namespace ropewalk::plot
