#pragma once
// A table as source code: a constant array that a C or C++ file, a shader, or a Python or Rust program
// includes.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "export/table_text.hpp"

namespace ropewalk::tables {

/// Type of an array's numbers. `narrow` is a 16-bit format: its bits in C and Rust, a float of
/// the same value in GLSL and Python.
enum class source_element { f64, f32, narrow, u32, i32 };

struct source_array {
  std::string name;  // an identifier
  source_element element = source_element::f32;
  std::vector<std::int64_t> shape{};   // in single numbers: a complex number is a last axis of 2
  std::int64_t columns = 1;            // numbers per row
  bool is_of_vectors = false;          // the last axis is one vector: vec2, uvec4
  bool is_infinite_somewhere = false;  // C then needs <math.h>
  std::vector<std::string> remarks{};  // comment lines above the array
};

/// Text before and after each block of numbers of one axis; the block of the first axis is the whole array.
struct axis_brackets {
  std::string open;
  std::string close;
};

/// How a language declares an array.
struct source_language {
  std::string guard;        // include guard; empty: none
  std::string declaration;  // up to the first bracket
  std::vector<axis_brackets> axes;
  std::string comment = "//";
  std::string end = ";";  // behind the last bracket
};

/// C11 and C++17: double and float in hexadecimal, bits of 16-bit formats in uint16_t, words in uint32_t,
/// integers in int32_t.
source_language c_language(const source_array& array);

/// GLSL: decimals that read back to the same number, words as hexadecimal uint. Requires version 400 for
/// double, and 430 or 310 es for nested arrays.
source_language glsl_language(const source_array& array);

/// Python: nested lists. A 16-bit number is a float of the same value.
source_language python_language(const source_array& array);

/// Rust: one `pub static` array, bits of 16-bit formats in u16, words in u32, integers in i32.
source_language rust_language(const source_array& array);

class source_format : public text_format {
 public:
  source_format(source_array array, source_language language);

  std::string begin(std::string_view record) const override;
  std::string row(const text_row& row, std::int64_t at) const override;
  std::string end() const override {
    return language_.axes[0].close + language_.end + (language_.guard.empty() ? "\n" : "\n\n#endif\n");
  }

 private:
  source_array array_;
  source_language language_;
  std::vector<std::int64_t> sizes_;  // numbers in one block of each axis
};

}  // namespace ropewalk::tables
