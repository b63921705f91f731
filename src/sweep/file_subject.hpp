#pragma once
// Lets a sweep check a table in a file.

#include <memory>
#include <string>

#include "export/array_layout.hpp"
#include "ropewalk/kernel/kernel.h"
#include "sweep/subject.hpp"

namespace ropewalk::sweep {

/// Cosines, sines or both, as `ropewalk table KIND` writes them to .npy, .npz and safetensors files. Each
/// subject reads only the rows that are requested.
class given_table : public subject_maker {
 public:
  /// `text` is FILE or FILE#NAME, with FILE a regular file; the first row belongs to position `first`.
  ///
  /// throws  bad_input naming table if there is no such array, if its elements are not floating-point numbers
  ///         (with complex layout, complex numbers), or if the file's length contradicts its header
  given_table(const std::string& text, const tables::array_layout& layout, std::int64_t first = 0);
  ~given_table() override;

  /// The format of the entries, and the positions of the rows.
  ropewalk_dtype dtype() const;
  position_range positions() const;
  /// Digest of the file; it changes with any byte.
  const std::string& content() const;

  void require_serves(const work_range& range) const override;
  std::unique_ptr<subject> subject_of(const swept_table& table) const override;

 private:
  struct opened;
  std::unique_ptr<const opened> value_;
};

}  // namespace ropewalk::sweep
