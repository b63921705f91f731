// The program's own tables as a subject: rows from sums of angles, as in `ropewalk table` and the kernels.

#include <type_traits>

#include "kernel/phase_rows.hpp"
#include "kernel/run_time_table.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "sweep/subject.hpp"

namespace ropewalk::sweep {
namespace {

class own_table : public subject {
 public:
  explicit own_table(const placed_rope& config) : table_(config), walk_(table_.fast()) {}

  bool is_own_table() const override { return true; }
  std::int64_t positions_at_once() const override { return phase_rows::most_rows; }

  void fill(position_range positions, ropewalk_dtype dtype, void* cos, void* sin) override {
    with_format(dtype, [&]<class Float>() {
      if constexpr (!std::is_same_v<Float, double>)
        walk_.rows<Float>(positions, false, static_cast<row_entry<Float>*>(cos),
                          static_cast<row_entry<Float>*>(sin));
    });
  }

 private:
  run_time_table table_;
  row_walk walk_;  // one walk for all formats, which share its seeds
};

class own_table_maker : public subject_maker {
 public:
  std::unique_ptr<subject> subject_of(const swept_table& table) const override {
    return std::make_unique<own_table>(model::placed(table.model));
  }
};

}  // namespace

std::unique_ptr<subject_maker> own_tables() { return std::make_unique<own_table_maker>(); }

}  // namespace ropewalk::sweep
