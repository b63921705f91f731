#include "plot/cell_codes.hpp"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

#include "export/base64.hpp"

namespace ropewalk::plot {
std::vector<unsigned char> codes_of(const std::vector<double>& values, const range& within) {
  std::vector<unsigned char> codes;
  for (const double value : values) {
    const double place = std::clamp((value - within.least) / (within.most - within.least), 0.0, 1.0);
    codes.push_back(std::isfinite(value) ? static_cast<unsigned char>(std::lround(place * largest_code))
                                         : static_cast<unsigned char>(empty_code));
  }
  return codes;
}

std::vector<unsigned char> deflated(const std::vector<unsigned char>& bytes) {
  std::vector<unsigned char> r(::compressBound(bytes.size()));
  uLongf size = r.size();
  if (::compress2(r.data(), &size, bytes.data(), bytes.size(), Z_BEST_COMPRESSION) != Z_OK)
    throw std::bad_alloc();
  r.resize(size);
  return r;
}

std::string coded_cells(const std::vector<double>& values, const range& within) {
  return output::base64_of(deflated(codes_of(values, within)));
}

std::optional<std::vector<double>> cells_of(std::string_view coded, std::size_t count, const range& within) {
  const std::optional<std::vector<unsigned char>> packed = output::bytes_of_base64(coded);
  if (!packed) return std::nullopt;
  std::vector<unsigned char> codes(count);
  uLongf size = codes.size();
  if (::uncompress(codes.data(), &size, packed->data(), packed->size()) != Z_OK || size != count)
    return std::nullopt;
  std::vector<double> r;
  for (const unsigned char code : codes)
    r.push_back(code == empty_code ? std::numeric_limits<double>::quiet_NaN()
                                   : within.least + (within.most - within.least) * code / largest_code);
  return r;
}

}  // namespace ropewalk::plot
