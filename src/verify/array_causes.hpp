#pragma once
// Why arrays of rotary numbers are wrong: arrays of one model share the tables that they are compared with.

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "diagnosis/table_cause.hpp"
#include "verify/given_arrays.hpp"

namespace ropewalk::verify {

class array_causes {
 public:
  /// The cause of an array that breaks its promise, in the terms of a diagnosis; none for kinds without known
  /// mistakes, or where the array keeps the loosest promise. `shape` is the array's own, `place` the position
  /// row, or pair, of an entry that is wrong.
  std::optional<diagnosed> of(const given_array& array, const std::vector<std::int64_t>& shape,
                              const std::vector<std::byte>& bytes, std::optional<std::int64_t> place);

 private:
  // By table; arrays of several layers share theirs.
  std::map<const output::table*, std::unique_ptr<diagnosis::rotary_diagnosis>> of_table_;
};

}  // namespace ropewalk::verify
