#include "export/npy.hpp"

#include <bit>

#include "input/bad_input.hpp"
#include "input/input_file.hpp"

namespace ropewalk::tables {

static_assert(std::endian::native == std::endian::little, "elements are written as they lie in memory");

std::string npy_header_bytes(const npy_header& header) {
  return npy_header_bytes(descr_of(header.dtype), header.shape);
}

std::string npy_header_bytes(std::string_view descr, const std::vector<std::int64_t>& shape) {
  std::string extents;
  for (const std::int64_t extent : shape) extents += std::to_string(extent) + ", ";
  if (shape.size() > 1) extents.resize(extents.size() - 2);
  if (shape.size() == 1) extents.pop_back();  // (3,) as Python spells it
  std::string text =
      "{'descr': '" + std::string(descr) + "', 'fortran_order': False, 'shape': (" + extents + "), }";
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
  if (!array_.is_direct() && input::is_input(path + ".json"))
    throw bad_input("output", path + " (its sidecar " + path + ".json is an input)",
                    "a path whose sidecar is not an input file");
  if (!array_.is_direct()) sidecar_ = std::make_unique<output::output_file>(path + ".json");
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

}  // namespace ropewalk::tables
