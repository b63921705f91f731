// The canonical rotation with rows from a table for the positions that the encoding lists as frequent. Rows
// of other positions, and of all positions in binary64, are computed during the call.

#include <cstdint>
#include <mutex>
#include <tuple>
#include <type_traits>

#include "kernel/call_rows.hpp"
#include "kernel/cpu_rotation.hpp"
#include "kernel/fast_rows.hpp"
#include "kernel/kernels.hpp"
#include "kernel/page_memory.hpp"
#include "kernel/real_rows.hpp"
#include "kernel/targeted_kernel.hpp"
#include "kernel/wide_rows.hpp"
#include "ropewalk/kernel/turn_channels.hpp"

namespace ropewalk {
namespace {

constexpr std::int64_t largest_table_bytes = std::int64_t{1} << 30;  // per format

/// The table of one format, filled on first use: a plan that never sees binary64 data allocates no binary64
/// table. Several threads may use it at once.
template <class Lane>
class lasting_rows {
 public:
  /// The rows of the frequent positions, one after another.
  row_view<Lane> first(const rotation_plan& plan, const fast_rows& rows, bool unit) const {
    std::call_once(made_, [&] { make(plan, rows, unit); });
    return {cos_.data(), sin_.data()};
  }

 private:
  void make(const rotation_plan& plan, const fast_rows& rows, bool unit) const {
    const std::size_t entries =
        static_cast<std::size_t>(size(plan.often)) * static_cast<std::size_t>(plan.layout.pairs());
    // Vector loads may read beyond the last row.
    const std::size_t lanes = entries + 2 * simd::row_multiple;
    page_memory<Lane> cos(lanes), sin(lanes);
    if constexpr (std::is_same_v<Lane, float>)
      row_walk(rows).rows(plan.often, unit, cos.data(), sin.data());
    else
      wide_walk(wide_rows(plan, rows.target(), unit)).rows(plan.often, cos.data(), sin.data());
    cos_ = std::move(cos);
    sin_ = std::move(sin);
  }

  mutable std::once_flag made_;
  mutable page_memory<Lane> cos_;
  mutable page_memory<Lane> sin_;
};

/// The rows of one call. Those of frequent positions come from the table, which is looked up once.
template <class Lane>
class table_rows {
 public:
  table_rows(const rotation_plan& plan, const fast_rows& rows, const lasting_rows<Lane>& lasting, bool unit)
      : plan_(plan), rows_(rows), lasting_(lasting), unit_(unit), others_(rows, unit) {}

  row_view<Lane> at(std::int64_t position, const row_room<Lane>& room) {
    if (position >= plan_.often.begin && position < plan_.often.end) {
      if (first_.cos == nullptr) first_ = lasting_.first(plan_, rows_, unit_);
      const std::int64_t lanes = (position - plan_.often.begin) * plan_.layout.pairs();
      return {first_.cos + lanes, first_.sin + lanes};
    }
    if constexpr (std::is_same_v<Lane, float>) {
      return others_.at(position, room);
    } else {
      rows_.row(position, unit_, room.cos, room.sin, room.undecided);
      return {room.cos, room.sin};
    }
  }

 private:
  const rotation_plan& plan_;
  const fast_rows& rows_;
  const lasting_rows<Lane>& lasting_;
  bool unit_;
  row_view<Lane> first_;  // of the table; null until a position needs it
  call_rows others_;
};

class cpu_table {
 public:
  using operation = rotate;

  cpu_table(const ropewalk_rotation& encoding, const simd::target& target)
      : plan_(encoding), target_(target), rows_(plan_, target), reals_(plan_, rows_) {
    constexpr auto entry = static_cast<std::int64_t>(2 * sizeof(double));
    const std::int64_t most_rows = largest_table_bytes / (entry * plan_.layout.pairs());
    require_field(size(plan_.often) <= most_rows, {"", "table_end"}, plan_.often.end,
                  "at most as many positions as a 1 GiB table of binary64 rows holds");
  }
  cpu_table(const cpu_table&) = delete;
  cpu_table& operator=(const cpu_table&) = delete;

  void apply(const ropewalk_rotation_call& call) const {
    const auto turn_checked = [&](const checked_call& checked) {
      if (checked.dtype == ROPEWALK_F64)
        turn<double>(checked);
      else
        turn<float>(checked);
    };
    turn_channels(call, plan_, turn_checked, real_positions::served);
  }

 private:
  template <class Lane>
  void turn(const checked_call& call) const {
    const both_rows<Lane>& tables = std::get<both_rows<Lane>>(tables_);
    table_rows<Lane> rows(plan_, rows_, call.unit ? tables.unit : tables.scaled, call.unit);
    cpu_rotation<Lane, table_rows<Lane>>(plan_, target_, rows, call, &reals_).run();
  }

  /// The tables with the attention factor and without it.
  template <class Lane>
  struct both_rows {
    lasting_rows<Lane> scaled;
    lasting_rows<Lane> unit;
  };

  rotation_plan plan_;
  const simd::target& target_;
  fast_rows rows_;
  real_rows reals_;
  std::tuple<both_rows<double>, both_rows<float>> tables_;
};

}  // namespace

std::vector<ropewalk_kernel> cpu_table_kernels() {
  return targeted_kernels<cpu_table>("cpu-table", &any_pairing_and_position);
}

}  // namespace ropewalk
