#pragma once
// One table to write, every option read; and what its file says of it.

#include <string>

#include "command/command.hpp"
#include "command/table_form.hpp"
#include "command/table_format.hpp"
#include "model/json_text.hpp"
#include "model/model.hpp"

namespace ropewalk::command {

struct table_job {
  table_form form;
  table_dtype dtype = table_dtype::f32;
  file_format format = file_format::npy;
  std::string name;  // of the array, where the format has one
  int digits = 0;    // 0: entries of dtype
  int threads = 1;
  model::model model;
  position_list positions;

  table_grid grid() const { return {form, model.encoding, positions}; }
  bool is_whole_in_digits() const { return digits > 0 && form.kind == table_kind::turns; }  // not in words
  bool is_complex() const {
    return form.kind == table_kind::cos_sin && form.layout == cos_sin_layout::complex;
  }
};

/// The shape in single numbers, for formats without complex ones: a last axis of 2.
std::vector<std::int64_t> shape_of_numbers(const table_job& job);

/// Command line, version, shape, units, convention, rounding, and the model.
model::json record_of(const table_job& job, const session& session);

}  // namespace ropewalk::command
