#pragma once
// A fuzz target: one function that takes any bytes. It returns where they are read, or refused by the
// reader's own errors. Everything else is a finding: another exception, a sanitizer's complaint, a wrong bit.
//
// Each target is one file, NAME_target.cpp. With ROPEWALK_FUZZER it is a libFuzzer program; without,
// test_fuzz runs it on its committed inputs, corpus/NAME.

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ropewalk::fuzz {

using input_bytes = std::span<const std::uint8_t>;

/// What a reader accepted and should not have, or a result that is not what it must be.
struct finding : std::logic_error {
  using std::logic_error::logic_error;
};

inline void need(bool holds, const std::string& what) {
  if (!holds) throw finding(what);
}

inline std::string_view text_in(input_bytes input) {
  return {reinterpret_cast<const char*>(input.data()), input.size()};
}

struct target {
  std::string_view name;
  void (*run)(input_bytes);
};

/// The targets of this program.
inline std::vector<target>& targets() {
  static std::vector<target> all;
  return all;
}

inline bool add(const target& target) {
  targets().push_back(target);
  return true;
}

}  // namespace ropewalk::fuzz

// Declares a function of ropewalk::fuzz to be a target. Stands outside every namespace.
#ifdef ROPEWALK_FUZZER
#define ROPEWALK_FUZZ_TARGET(function)                                                \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { \
    ropewalk::fuzz::function({data, size});                                           \
    return 0;                                                                         \
  }
#else
#define ROPEWALK_FUZZ_TARGET(function)                     \
  [[maybe_unused]] static const bool function##_is_added = \
      ropewalk::fuzz::add({#function, ropewalk::fuzz::function})
#endif
