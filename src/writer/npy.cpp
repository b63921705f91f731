#include "writer/npy.hpp"

#include <bit>

namespace ropewalk::writer {

static_assert(std::endian::native == std::endian::little, "elements are written as they lie in memory");

std::string npy_header_bytes(const npy_header& header) {
  std::string shape;
  for (const std::int64_t extent : header.shape) shape += std::to_string(extent) + ", ";
  if (header.shape.size() > 1) shape.resize(shape.size() - 2);
  if (header.shape.size() == 1) shape.pop_back();  // (3,) as Python spells it
  std::string text = "{'descr': '" + std::string(descr_of(header.dtype)) +
                     "', 'fortran_order': False, 'shape': (" + shape + "), }";
  constexpr std::size_t preamble = 10;
  constexpr std::size_t alignment = 64;
  text.append((alignment - (preamble + text.size() + 1) % alignment) % alignment, ' ');
  text += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(text.size() & 255);
  bytes += static_cast<char>(text.size() >> 8);
  return bytes + text;
}

npy_output::npy_output(const std::string& path, const npy_header& header) : array_(path) {
  if (!array_.is_direct()) sidecar_ = std::make_unique<output_file>(path + ".json");
  array_.write(npy_header_bytes(header));
}

void npy_output::commit(const std::string& sidecar) {
  array_.finish();
  if (sidecar_) {
    sidecar_->write(sidecar);
    sidecar_->finish();
    sidecar_->commit();
  }
  array_.commit();
}

}  // namespace ropewalk::writer
