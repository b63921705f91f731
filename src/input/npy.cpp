#include "input/npy.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace ropewalk {

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string extents;
  for (const std::int64_t extent : shape) extents += (extents.empty() ? "" : ", ") + std::to_string(extent);
  return "(" + extents + ")";
}

std::vector<std::int64_t> without_ones(std::vector<std::int64_t> shape, std::size_t axes) {
  while (shape.size() > axes && shape.front() == 1) shape.erase(shape.begin());
  const auto ones = static_cast<std::size_t>(std::count(shape.begin(), shape.end(), 1));
  if (shape.size() <= axes || shape.size() - axes > ones) return shape;
  while (shape.size() > axes) shape.erase(std::find(shape.begin(), shape.end(), 1));
  return shape;
}

std::int64_t element_count(const npy_header& header) {
  // An extent of zero makes the array empty, whatever the other extents.
  if (std::find(header.shape.begin(), header.shape.end(), 0) != header.shape.end()) return 0;
  std::int64_t count = 1;
  for (const std::int64_t extent : header.shape) count *= extent;
  return count;
}

}  // namespace ropewalk

namespace ropewalk::input {
namespace {

constexpr const char* array_allowed = "a NumPy .npy file, version 1.0 or 2.0";
constexpr std::size_t largest_header = 1 << 20;
constexpr std::int64_t largest_array = std::int64_t{1} << 62;  // bytes; adding a header cannot overflow

/// Whether an element type is accepted; an empty list accepts all.
bool is_among(std::span<const npy_dtype> wanted, npy_dtype dtype) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), dtype) != wanted.end();
}

/// Reads the Python dictionary of an array file's header: three known keys, each once.
class dictionary {
 public:
  dictionary(const byte_source& input, std::string_view text, std::span<const npy_dtype> wanted)
      : input_(input), text_(text), wanted_(wanted) {}

  npy_header read() {
    take('{');
    while (!next_is('}')) {
      entry();
      if (next_is(',')) take(',');
    }
    take('}');
    skip_blanks();
    if (at_ != text_.size() || !has_dtype_ || !has_order_ || !has_shape_) malformed();
    return header_;
  }

 private:
  void entry() {
    const std::string_view key = quoted();
    take(':');
    if (key == "descr" && !has_dtype_)
      dtype();
    else if (key == "fortran_order" && !has_order_)
      order();
    else if (key == "shape" && !has_shape_)
      shape();
    else
      malformed();
  }

  void dtype() {
    const std::string_view descr = quoted();
    const auto* match = std::find_if(std::begin(npy_dtypes), std::end(npy_dtypes),
                                     [&](const npy_dtype_text& text) { return text.descr == descr; });
    if (match == std::end(npy_dtypes) || !is_among(wanted_, match->dtype))
      input_.refuse("descr " + std::string(descr), allowed_dtypes(wanted_));
    header_.dtype = match->dtype;
    has_dtype_ = true;
  }

  void order() {
    skip_blanks();
    if (starts_with("True")) input_.refuse("fortran_order True", "C order: numpy.ascontiguousarray(array)");
    if (!starts_with("False")) malformed();
    at_ += std::strlen("False");
    has_order_ = true;
  }

  void shape() {
    take('(');
    while (!next_is(')')) {
      header_.shape.push_back(extent());
      if (!next_is(')')) take(',');
    }
    take(')');
    has_shape_ = true;
  }

  std::int64_t extent() {
    skip_blanks();
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error == std::errc::result_out_of_range)
      input_.refuse("a shape beyond 64 bits", "a shape that the file holds");
    if (error != std::errc{}) malformed();
    if (value < 0) input_.refuse("a negative shape", "a shape that the file holds");
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }

  std::string_view quoted() {
    skip_blanks();
    if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) malformed();
    const std::size_t end = text_.find(text_[at_], at_ + 1);
    if (end == std::string_view::npos) malformed();
    const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return inside;
  }

  bool starts_with(std::string_view word) const { return text_.substr(at_).starts_with(word); }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }

  bool next_is(char letter) {
    skip_blanks();
    return at_ < text_.size() && text_[at_] == letter;
  }

  void take(char letter) {
    if (!next_is(letter)) malformed();
    ++at_;
  }

  [[noreturn]] void malformed() const { input_.refuse("a malformed header", array_allowed); }

  const byte_source& input_;
  std::string_view text_;
  std::span<const npy_dtype> wanted_;
  std::size_t at_ = 0;
  npy_header header_;
  bool has_dtype_ = false;
  bool has_order_ = false;
  bool has_shape_ = false;
};

/// Reads up to the first element; sets `preamble` to the number of bytes before it.
std::string header_text(byte_source& input, std::int64_t& preamble) {
  unsigned char start[8] = {};
  if (input.read(start, sizeof start) != sizeof start || std::memcmp(start, "\x93NUMPY", 6) != 0)
    input.refuse("no .npy magic at its start", array_allowed);
  if ((start[6] != 1 && start[6] != 2) || start[7] != 0)
    input.refuse("version " + std::to_string(start[6]) + "." + std::to_string(start[7]), array_allowed);
  const std::size_t width = start[6] == 1 ? 2 : 4;
  unsigned char field[4] = {};
  if (input.read(field, width) != width) input.refuse("ends inside its header", array_allowed);
  std::size_t length = 0;
  for (std::size_t i = width; i-- > 0;) length = length << 8 | field[i];
  if (length > largest_header)
    input.refuse("a header of " + std::to_string(length) + " bytes", array_allowed);
  std::string text(length, '\0');
  if (input.read(text.data(), length) != length) input.refuse("ends inside its header", array_allowed);
  preamble = static_cast<std::int64_t>(sizeof start + width + length);
  return text;
}

}  // namespace

std::string allowed_dtypes(std::span<const npy_dtype> wanted) {
  std::vector<std::string_view> names;
  for (const npy_dtype_text& dtype : npy_dtypes)
    if (is_among(wanted, dtype.dtype)) names.push_back(dtype.descr);
  std::string text = "descr ";
  for (std::size_t i = 0; i < names.size(); ++i)
    text += std::string(i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + std::string(names[i]);
  return text;
}

std::int64_t byte_count(const byte_source& input, const npy_header& header) {
  std::int64_t bytes = static_cast<std::int64_t>(size_of(header.dtype));
  // An extent of zero makes the array empty, whatever the other extents.
  if (std::find(header.shape.begin(), header.shape.end(), 0) != header.shape.end()) return 0;
  for (const std::int64_t extent : header.shape) {
    if (extent > largest_array / bytes)
      input.refuse("a shape beyond 2^62 bytes", "a shape that the file holds");
    bytes *= extent;
  }
  return bytes;
}

npy_header read_npy_header(byte_source& from, std::span<const npy_dtype> dtypes) {
  std::int64_t preamble = 0;
  const std::string text = header_text(from, preamble);
  npy_header header = dictionary(from, text, dtypes).read();
  if (header.shape.size() > 8) from.refuse("more than 8 dimensions", "at most 8 dimensions");
  const std::int64_t count = byte_count(from, header);
  if (from.size() < 0) return header;
  const std::int64_t number = from.size() - preamble;
  if (number < count)
    from.refuse("ends after " + std::to_string(std::max<std::int64_t>(number, 0)) + " of " +
                    std::to_string(count) + " bytes of elements",
                "a shape that the file holds");
  return header;
}

}  // namespace ropewalk::input
