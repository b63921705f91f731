#include "input/array_file.hpp"

#include <fnmatch.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "input/bad_input.hpp"
#include "input/gguf.hpp"
#include "input/input_file.hpp"
#include "input/json_text.hpp"
#include "input/kept_file.hpp"
#include "input/safetensors.hpp"

namespace ropewalk::input {
namespace {

constexpr const char* npz_allowed = "a NumPy .npz archive";
constexpr const char* safetensors_allowed = "a safetensors file";
constexpr const char* named_allowed = "FILE.npz#NAME, FILE.safetensors#NAME or FILE.gguf#NAME";

enum class container { npy, npz, safetensors, gguf };

container kind_of(const input_file& file) {
  const std::string first = file.first_bytes(sizeof(std::uint64_t) + 1);
  if (first.starts_with("PK\3\4") || first.starts_with("PK\5\6")) return container::npz;
  if (first.starts_with(gguf_magic)) return container::gguf;
  std::uint64_t length = 0;
  if (first.size() <= sizeof length) return container::npy;
  std::memcpy(&length, first.data(), sizeof length);
  return first.back() == '{' ? container::safetensors : container::npy;
}

// ---- npz ----

struct close_archive {
  void operator()(zip_t* t) const { zip_discard(t); }
};
struct close_member {
  void operator()(zip_file_t* t) const { zip_fclose(t); }
};
using open_archive = std::unique_ptr<zip_t, close_archive>;

open_archive archive_of(const input_file& file) {
  int error = 0;
  const int descriptor = file.another_descriptor();
  open_archive archive(zip_fdopen(descriptor, 0, &error));  // owns the descriptor
  if (archive) return archive;
  ::close(descriptor);
  zip_error_t why;
  zip_error_init_with_code(&why, error);
  const std::string text = zip_error_strerror(&why);
  zip_error_fini(&why);
  file.refuse(text, npz_allowed);
}

constexpr std::string_view npy_suffix = ".npy", record_member = "record.npy";

/// An array of an archive; libzip verifies its checksum.
class archived_array : public byte_source {
 public:
  archived_array(std::unique_ptr<input_file> file, const std::string& name)
      : file_(std::move(file)), archive_(archive_of(*file_)), name_(name) {
    const std::string member = name + std::string(npy_suffix);
    zip_stat_t about;
    if (zip_stat(archive_.get(), member.c_str(), 0, &about) != 0 ||
        (member_.reset(zip_fopen(archive_.get(), member.c_str(), 0)), !member_))
      refuse(zip_strerror(archive_.get()), "an array of the archive");
    size_ = static_cast<std::int64_t>(about.size);
  }

  std::size_t read(void* bytes, std::size_t size) override {
    const zip_int64_t count = zip_fread(member_.get(), bytes, size);
    if (count < 0) refuse(zip_file_strerror(member_.get()), npz_allowed);
    return static_cast<std::size_t>(count);
  }
  std::int64_t size() const override { return size_; }
  const std::string& field() const override { return file_->field(); }
  std::string place() const override { return file_->path() + "#" + name_; }

 private:
  std::unique_ptr<input_file> file_;
  open_archive archive_;
  std::unique_ptr<zip_file_t, close_member> member_;
  std::string name_;
  std::int64_t size_ = 0;
};

std::vector<std::string> names_in_archive(const input_file& file) {
  const open_archive archive = archive_of(file);
  std::vector<std::string> names;
  std::set<std::string> known;
  for (zip_int64_t i = 0; i < zip_get_num_entries(archive.get(), 0); ++i) {
    const char* const name = zip_get_name(archive.get(), static_cast<zip_uint64_t>(i), 0);
    const std::string_view member = name == nullptr ? "" : name;
    if (!member.ends_with(npy_suffix)) continue;
    if (member == record_member) continue;  // this program's record about the arrays
    names.emplace_back(member.substr(0, member.size() - npy_suffix.size()));
    if (!known.insert(names.back()).second)
      file.refuse("two arrays named " + printable(names.back()), npz_allowed);
  }
  return names;
}

// ---- safetensors ----

struct opened_tensors {
  safetensors_header header;
  std::uint64_t first = 0;  // offset of the first tensor's first byte
};

opened_tensors tensors_of(input_file& file) {
  std::uint64_t length = 0;
  file.go_to(0);
  if (file.read(&length, sizeof length) != sizeof length || length > longest_safetensors_header)
    file.refuse("a header of " + std::to_string(length) + " bytes",
                "a safetensors file with a header of at most " + size_text(longest_safetensors_header));
  std::string text(static_cast<std::size_t>(length), '\0');
  if (file.read(text.data(), text.size()) != text.size())
    file.refuse("ends inside its header", safetensors_allowed);
  try {
    opened_tensors tensors{safetensors_header_of(text), sizeof length + length};
    if (file.size() != static_cast<std::int64_t>(tensors.first + tensors.header.data_bytes))
      file.refuse(std::to_string(file.size()) + " bytes where its header needs " +
                      std::to_string(tensors.first + tensors.header.data_bytes),
                  safetensors_allowed);
    return tensors;
  } catch (const bad_header& bad) {
    file.refuse(bad.what(), safetensors_allowed);
  }
}

struct dtype_name {
  std::string_view name;
  npy_dtype dtype;
};

constexpr dtype_name tensor_dtypes[] = {
    {"F64", npy_dtype::f64},  {"F32", npy_dtype::f32}, {"F16", npy_dtype::f16},
    {"BF16", npy_dtype::u16}, {"U32", npy_dtype::u32}, {"I32", npy_dtype::i32},
    {"I64", npy_dtype::i64},  {"C64", npy_dtype::c64}, {"C128", npy_dtype::c128}};

std::string tensor_dtype_names() {
  std::string names;
  for (const dtype_name& dtype : tensor_dtypes)
    names += (names.empty() ? "" : ", ") + std::string(dtype.name);
  return names;
}

/// Location of a tensor's elements in its file.
struct tensor_place {
  npy_header header;
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;
};

[[noreturn]] void refuse_tensor(const input_file& file, const std::string& name, const std::string& why,
                                const std::string& allowed) {
  throw bad_input(file.field(), file.path() + "#" + name + " (" + why + ")", allowed);
}

constexpr const char* no_such_tensor = "no such tensor";

tensor_place place_in_safetensors(input_file& file, const std::string& name) {
  const opened_tensors all = tensors_of(file);
  const auto match = std::find_if(all.header.tensors.begin(), all.header.tensors.end(),
                                  [&](const stored_tensor& tensor) { return tensor.name == name; });
  if (match == all.header.tensors.end()) refuse_tensor(file, name, no_such_tensor, "a tensor of the file");
  const auto* known = std::find_if(std::begin(tensor_dtypes), std::end(tensor_dtypes),
                                   [&](const dtype_name& first) { return first.name == match->dtype; });
  if (known == std::end(tensor_dtypes))
    refuse_tensor(file, name, "dtype " + match->dtype, tensor_dtype_names());
  return {{known->dtype, match->shape}, all.first + match->begin, match->end - match->begin};
}

// ---- GGUF ----

constexpr std::pair<std::uint32_t, npy_dtype> gguf_dtypes[] = {
    {gguf_f32, npy_dtype::f32}, {gguf_f16, npy_dtype::f16}, {gguf_bf16, npy_dtype::u16},
    {gguf_f64, npy_dtype::f64}, {gguf_i32, npy_dtype::i32}, {gguf_i64, npy_dtype::i64}};

gguf_header gguf_of(input_file& file) {
  file.go_to(0);
  return gguf_header_of(file);
}

tensor_place place_in_gguf(input_file& file, const std::string& name) {
  const gguf_header all = gguf_of(file);
  const auto match = std::find_if(all.tensors.begin(), all.tensors.end(),
                                  [&](const gguf_tensor_place& place) { return place.name == name; });
  if (match == all.tensors.end()) refuse_tensor(file, name, no_such_tensor, "a tensor of the file");
  const auto* known = std::find_if(std::begin(gguf_dtypes), std::end(gguf_dtypes),
                                   [&](const auto& item) { return item.first == match->type; });
  if (known == std::end(gguf_dtypes))
    refuse_tensor(file, name, "dtype " + gguf_type_name(match->type),
                  "F32, F16, BF16, F64, I32, I64: no quantised type");
  tensor_place result{{known->second, match->shape}};
  std::uint64_t end = 0;
  if (__builtin_add_overflow(all.data_begin, match->begin, &result.begin))
    refuse_tensor(file, name, "begins after the file", "a tensor within the file");
  result.bytes = static_cast<std::uint64_t>(byte_count(file, result.header));
  if (__builtin_add_overflow(result.begin, result.bytes, &end) ||
      end > static_cast<std::uint64_t>(file.size()))
    refuse_tensor(file, name, "ends after the file", "a tensor within the file");
  return result;
}

/// A tensor of a safetensors or GGUF file.
class tensor_bytes : public byte_source {
 public:
  tensor_bytes(std::unique_ptr<input_file> file, const std::string& name, const tensor_place& place)
      : file_(std::move(file)), name_(name), header_(place.header), size_(place.bytes), left_(place.bytes) {
    file_->go_to(place.begin);
  }

  const npy_header& header() const { return header_; }
  std::size_t read(void* bytes, std::size_t size) override {
    const std::size_t count = file_->read(bytes, std::min<std::uint64_t>(size, left_));
    left_ -= count;
    return count;
  }
  void skip(std::uint64_t size) override {
    size = std::min(size, left_);
    file_->skip(size);
    left_ -= size;
  }
  std::int64_t size() const override { return static_cast<std::int64_t>(size_); }
  const std::string& field() const override { return file_->field(); }
  std::string place() const override { return file_->path() + "#" + name_; }

 private:
  std::unique_ptr<input_file> file_;
  std::string name_;
  npy_header header_;
  std::uint64_t size_ = 0;
  std::uint64_t left_ = 0;
};

/// The names of a file's arrays; nothing for a .npy file, whose array has no name.
std::optional<std::vector<std::string>> names_in(input_file& file) {
  switch (kind_of(file)) {
    case container::npy: break;
    case container::npz: return names_in_archive(file);
    case container::safetensors: {
      std::vector<std::string> names;
      for (const stored_tensor& tensor : tensors_of(file).header.tensors) names.push_back(tensor.name);
      return names;
    }
    case container::gguf: {
      std::vector<std::string> names;
      for (const gguf_tensor_place& tensor : gguf_of(file).tensors) names.push_back(tensor.name);
      return names;
    }
  }
  return std::nullopt;
}

/// The record in a GGUF file's metadata, under the keys that `table` writes with the prefix "ropewalk.".
std::string record_in_gguf(const gguf_header& header) {
  constexpr std::string_view prefix = "ropewalk.";
  json json_value = json::object();
  for (const auto& [key, value] : header.metadata.items())
    if (key.starts_with(prefix) && value.is_string()) json_value[key.substr(prefix.size())] = value;
  return json_value.dump();
}

/// "cos, sin, inv_freq and 5 more".
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i)
    text += (i == 0 ? "" : ", ") + printable(names[i]);
  return names.size() > most ? text + " and " + std::to_string(names.size() - most) + " more" : text;
}

}  // namespace

array_location array_location_of(const std::string& text) {
  struct stat status {};
  const std::size_t last = text.rfind('#');
  for (std::size_t end = text.size(); end != std::string::npos && end > 0; end = text.rfind('#', end - 1)) {
    const std::string path = text.substr(0, end);
    if (::stat(path.c_str(), &status) != 0) continue;
    if (end == text.size()) return {path};
    return {path, text.substr(end + 1)};
  }
  if (last == std::string::npos || last == 0) return {text};
  return {text.substr(0, last), text.substr(last + 1)};
}

std::vector<array_location> array_locations(const std::string& field, const std::string& text) {
  const array_location location = array_location_of(text);
  struct stat status {};
  const bool is_pipe =
      location.path == "-" || (::stat(location.path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode));
  if (is_pipe && !location.name) return {location};  // a .npy file, which its reader opens once
  input_file file(field, location.path);
  const auto names = names_in(file);
  if (!names) {
    if (location.name) file.refuse("no file of named arrays", named_allowed);
    return {location};
  }
  const std::string allowed = printable(location.path) + "#NAME with a NAME of " + listed(*names);
  if (names->empty()) file.refuse("no array in it", "a file with arrays");
  if (!location.name) {
    if (names->size() > 1) throw bad_input(field, text, allowed);
    return {{location.path, names->front()}};
  }
  if (std::find(names->begin(), names->end(), *location.name) != names->end()) return {location};
  std::vector<array_location> locations;
  for (const std::string& name : *names)
    if (::fnmatch(location.name->c_str(), name.c_str(), 0) == 0) locations.push_back({location.path, name});
  if (locations.empty()) throw bad_input(field, text, allowed);
  return locations;
}

std::string record_of_arrays(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  auto file = std::make_unique<input_file>("table", path);
  switch (kind_of(*file)) {
    case container::npy: break;
    case container::npz: {
      const open_archive archive = archive_of(*file);
      const std::unique_ptr<zip_file_t, close_member> member(
          zip_fopen(archive.get(), std::string(record_member).c_str(), 0));
      std::string text;
      char part[4096];
      for (zip_int64_t count = 0; member && (count = zip_fread(member.get(), part, sizeof part)) > 0;)
        if (text.append(part, static_cast<std::size_t>(count)).size() > largest_config)
          file->refuse("a record of more than " + size_text(largest_config),
                       "a record of at most " + size_text(largest_config));
      const std::size_t begin = text.find('\n');  // the end of the array's header
      return begin == std::string::npos ? "" : text.substr(begin + 1);
    }
    case container::safetensors: return json(tensors_of(*file).header.words).dump();
    case container::gguf: return record_in_gguf(gguf_of(*file));
  }
  const std::string sidecar = path + ".json";
  return ::access(sidecar.c_str(), F_OK) == 0 ? kept_text("record", sidecar, largest_config) : "";
}

array_file::array_file(const std::string& field, const array_location& place,
                       std::span<const npy_dtype> dtypes) {
  auto file = std::make_unique<input_file>(field, place.path);
  const container kind = kind_of(*file);
  const std::string name = place.name.value_or("");
  switch (kind) {
    case container::npy:
      from_ = std::move(file);
      header_ = read_npy_header(*from_, dtypes);
      break;
    case container::npz:
      from_ = std::make_unique<archived_array>(std::move(file), name);
      header_ = read_npy_header(*from_, dtypes);
      break;
    case container::safetensors:
    case container::gguf: {
      const tensor_place at =
          kind == container::gguf ? place_in_gguf(*file, name) : place_in_safetensors(*file, name);
      auto tensor = std::make_unique<tensor_bytes>(std::move(file), name, at);
      header_ = tensor->header();
      if (!dtypes.empty() && std::find(dtypes.begin(), dtypes.end(), header_.dtype) == dtypes.end())
        tensor->refuse("descr " + std::string(descr_of(header_.dtype)), allowed_dtypes(dtypes));
      from_ = std::move(tensor);
      break;
    }
  }
}

void array_file::read(std::span<std::byte> bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const std::size_t count = from_->read(bytes.data() + done, bytes.size() - done);
    if (count == 0) refuse("ends before its last element", "a shape that the file holds");
    done += count;
  }
}

void array_file::skip(std::uint64_t bytes) { from_->skip(bytes); }

void array_file::require_end() {
  std::byte extra{};
  if (from_->read(&extra, 1) != 0) refuse("goes on after its last element", "a shape that fills the file");
}

array_file only_array(const std::string& field, const std::string& text, std::span<const npy_dtype> dtypes) {
  const std::vector<array_location> places = array_locations(field, text);
  if (places.size() > 1) throw bad_input(field, text, "the name of one array");
  return {field, places.front(), dtypes};
}

whole_array read_array(const std::string& field, const array_location& place,
                       std::span<const npy_dtype> dtypes, std::int64_t most) {
  array_file file(field, place, dtypes);
  whole_array array{file.header(), {}};
  if (element_count(array.header) > most)
    file.refuse("shape " + shape_text(array.header.shape), "at most " + std::to_string(most) + " elements");
  // Allocated in steps as data arrive: the header of a pipe may claim a false shape.
  constexpr std::size_t step = std::size_t{1} << 24;
  std::size_t left = static_cast<std::size_t>(element_count(array.header)) * size_of(array.header.dtype);
  while (left > 0) {
    const std::size_t count = std::min(left, step);
    const std::size_t before = array.bytes.size();
    array.bytes.resize(before + count);
    file.read({array.bytes.data() + before, count});
    left -= count;
  }
  file.require_end();
  return array;
}

whole_array read_array(const std::string& field, const std::string& text, std::span<const npy_dtype> dtypes,
                       std::int64_t most) {
  const std::vector<array_location> places = array_locations(field, text);
  if (places.size() > 1) throw bad_input(field, text, "the name of one array");
  return read_array(field, places.front(), dtypes, most);
}

}  // namespace ropewalk::input
