#pragma once
// Finds why arrays are wrong: compares each with the tables that engines with a known mistake would make.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "diagnosis/table_cause.hpp"
#include "verify/given_arrays.hpp"

namespace ropewalk::verify {

/// An array that breaks its promise.
struct wrong_array {
  const given_array* array = nullptr;
  std::vector<std::int64_t> shape{};  // as in the file
  const std::vector<std::byte>* bytes = nullptr;
  std::optional<std::int64_t> place{};  // position row, or pair, of a wrong entry
};

class array_causes {
 public:
  /// The cause, in a diagnosis's terms. None for kinds without known mistakes, for arrays of another rank,
  /// and where the array keeps the loosest promise.
  std::optional<diagnosed> of(const wrong_array& wrong);

 private:
  std::optional<diagnosis::table_cause> found(const wrong_array& wrong);

  // One diagnosis per rotary table; arrays of several layers share it.
  std::map<const tables::table*, std::unique_ptr<diagnosis::rotary_diagnosis>> of_table_;
};

}  // namespace ropewalk::verify
