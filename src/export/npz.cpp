#include "export/npz.hpp"

#include <zlib.h>

#include <initializer_list>
#include <limits>

#include "export/npy.hpp"
#include "input/bad_input.hpp"

namespace ropewalk::tables {
namespace {

// Signatures of ZIP records (APPNOTE.TXT): 4.3.7 local header, 4.3.9 data descriptor, 4.3.12 directory entry,
// 4.3.16 end of directory.
constexpr std::uint32_t local_header = 0x04034b50;
constexpr std::uint32_t descriptor = 0x08074b50;
constexpr std::uint32_t directory_entry = 0x02014b50;
constexpr std::uint32_t end_of_directory = 0x06054b50;

constexpr std::uint16_t version_needed = 20;
constexpr std::uint16_t made_on_unix = (3 << 8) | version_needed;
constexpr std::uint16_t sizes_follow = 1 << 3;  // in a descriptor: a stream cannot seek back to the header
constexpr std::uint16_t stored_method = 0;
constexpr std::uint16_t midnight = 0;
constexpr std::uint16_t first_day = (1 << 5) | 1;     // 1 January 1980, the format's earliest date
constexpr std::uint32_t plain_file = 0100644U << 16;  // mode 0644

std::string words16(std::initializer_list<std::uint16_t> words) {
  std::string bytes;
  for (const std::uint16_t word : words) {
    bytes += static_cast<char>(word & 255);
    bytes += static_cast<char>(word >> 8);
  }
  return bytes;
}

std::string words32(std::initializer_list<std::uint32_t> words) {
  std::string bytes;
  for (const std::uint32_t word : words)
    bytes += words16({static_cast<std::uint16_t>(word), static_cast<std::uint16_t>(word >> 16)});
  return bytes;
}

std::uint64_t array_bytes(const npy_header& header) {
  return static_cast<std::uint64_t>(element_count(header)) * size_of(header.dtype);
}

}  // namespace

npz_output::npz_output(const std::string& path, std::span<const named_array> arrays) : file_(path) {
  std::uint64_t bytes = 0;
  for (const named_array& array : arrays) bytes += array_bytes(array.header);
  if (bytes > largest_npz_array)
    throw bad_input("format", "npz of " + size_text(bytes),
                    "at most " + size_text(largest_npz_array) + " as npz; any size as npy or safetensors");
}

void npz_output::begin_array(const named_array& array) {
  begin_member(array.name);
  const std::string begin = npy_header_bytes(array.header);
  write(begin.data(), begin.size());
}

void npz_output::put(std::string_view bytes) {
  file_.write(bytes);
  written_ += static_cast<std::uint32_t>(bytes.size());
}

void npz_output::begin_member(const std::string& array_name) {
  if (!members_.empty()) end_member();
  members_.push_back({.name = array_name + ".npy", .begin = written_});
  const std::string& name = members_.back().name;
  put(words32({local_header}) + words16({version_needed, sizes_follow, stored_method, midnight, first_day}) +
      words32({0, 0, 0}) + words16({static_cast<std::uint16_t>(name.size()), 0}) + name);
}

void npz_output::write(const void* elements, std::size_t bytes) {
  const std::string_view part(static_cast<const char*>(elements), bytes);
  member& last = members_.back();
  last.sum = static_cast<std::uint32_t>(crc32_z(last.sum, static_cast<const Bytef*>(elements), bytes));
  last.size += static_cast<std::uint32_t>(bytes);
  put(part);
}

void npz_output::end_member() {
  const member& last = members_.back();
  put(words32({descriptor, last.sum, last.size, last.size}));
}

void npz_output::write_directory() {
  const std::uint32_t begin = written_;
  for (const member& entry : members_)
    put(words32({directory_entry}) +
        words16({made_on_unix, version_needed, sizes_follow, stored_method, midnight, first_day}) +
        words32({entry.sum, entry.size, entry.size}) +
        words16({static_cast<std::uint16_t>(entry.name.size()), 0, 0, 0, 0}) +
        words32({plain_file, entry.begin}) + entry.name);
  const auto count = static_cast<std::uint16_t>(members_.size());
  put(words32({end_of_directory}) + words16({0, 0, count, count}) + words32({written_ - begin, begin}) +
      words16({0}));
}

void npz_output::commit(const std::string& record) {
  begin_member(std::string(npz_record_name));
  const std::string begin = npy_header_bytes("|u1", {static_cast<std::int64_t>(record.size())});
  write(begin.data(), begin.size());
  write(record.data(), record.size());
  end_member();
  write_directory();
  file_.commit();
}

}  // namespace ropewalk::tables
