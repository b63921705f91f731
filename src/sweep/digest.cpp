#include "sweep/digest.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <fmt/format.h>

#include <memory>
#include <vector>

#include "input/input_file.hpp"

namespace ropewalk::sweep {
namespace {

std::string digits_of(const XXH128_hash_t& hash) {
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace

std::string digest_of(std::string_view bytes) { return digits_of(XXH3_128bits(bytes.data(), bytes.size())); }

std::string digest_of_file(const std::string& field, const std::string& path) {
  input::input_file file(field, path);
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(), &XXH3_freeState);
  XXH3_128bits_reset(state.get());
  std::vector<char> part(1 << 20);
  while (const std::size_t count = file.read(part.data(), part.size()))
    XXH3_128bits_update(state.get(), part.data(), count);
  return digits_of(XXH3_128bits_digest(state.get()));
}

}  // namespace ropewalk::sweep
