#pragma once
// A table in a file as what a sweep checks.

#include <memory>
#include <string>

#include "export/array_layout.hpp"
#include "ropewalk/kernel/kernel.h"
#include "sweep/subject.hpp"

namespace ropewalk::sweep {

/// Cosines, sines or both, as `ropewalk table KIND` writes them to .npy, .npz and safetensors files. Each
/// subject reads the rows that it is asked for and holds no others.
class given_table : public subject_maker {
 public:
  /// `text` is FILE or FILE#NAME, of a regular file; its first row is of position `first`.
  ///
  /// throws  bad_input naming table, where there is no such array, of floating-point numbers or with complex
  ///         layout of complex ones, or the file is not as long as it says
  given_table(const std::string& text, const tables::array_layout& layout, std::int64_t first = 0);
  ~given_table() override;

  /// The format of its entries, and the positions of its rows.
  ropewalk_dtype dtype() const;
  position_range positions() const;
  /// Digest of the file: another one if any byte of it changes.
  const std::string& content() const;

  void require_serves(const work_range& range) const override;
  std::unique_ptr<subject> subject_of(const swept_table& table) const override;

 private:
  struct opened;
  std::unique_ptr<const opened> value_;
};

}  // namespace ropewalk::sweep
