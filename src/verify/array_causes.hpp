#pragma once
// Why arrays are wrong: each is compared with the tables that engines with a known mistake would make.

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
  std::vector<std::int64_t> shape{};  // its own
  const std::vector<std::byte>* bytes = nullptr;
  std::optional<std::int64_t> place{};  // the position row, or pair, of an entry that is wrong
};

class array_causes {
 public:
  /// The cause in the terms of a diagnosis; none for kinds without known mistakes, for arrays of another
  /// rank, or where the array keeps the loosest promise.
  std::optional<diagnosed> of(const wrong_array& wrong);

 private:
  std::optional<diagnosis::table_cause> found(const wrong_array& wrong);

  // Of rotary tables; arrays of several layers share theirs.
  std::map<const tables::table*, std::unique_ptr<diagnosis::rotary_diagnosis>> of_table_;
};

}  // namespace ropewalk::verify
