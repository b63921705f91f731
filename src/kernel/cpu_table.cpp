// The canonical rotation from a table, in plain C++: one row of cosines and sines a token, shared by all of
// its heads.

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

#include "kernel/kernels.hpp"
#include "ropewalk/kernel/head.hpp"
#include "ropewalk/kernel/kernel_of.hpp"
#include "ropewalk/kernel/rotation_plan.hpp"

#ifdef __FAST_MATH__
#error "the canonical rotation rounds every operation: compile without -ffast-math, with -ffp-contract=off"
#endif

namespace ropewalk {
namespace {

constexpr std::int64_t largest_table_bytes = std::int64_t{1} << 30;  // of one format

/// Rows of one format for positions that come often, made when a call first needs them: a plan that never
/// sees binary64 data pays nothing for its table. Many threads may ask at once.
template <floating_format Table>
class row_table {
 public:
  void copy_row(const rotation_plan& plan, bool unit, std::int64_t position, bits_of<Table>* cos,
                bits_of<Table>* sin) const {
    std::call_once(made_, [&] { make(plan, unit); });
    const auto pairs = static_cast<std::size_t>(plan.layout.pairs());
    const std::size_t first = static_cast<std::size_t>(position - plan.often.begin) * pairs;
    std::copy_n(cos_.data() + first, pairs, cos);
    std::copy_n(sin_.data() + first, pairs, sin);
  }

 private:
  void make(const rotation_plan& plan, bool unit) const {
    const auto entries =
        static_cast<std::size_t>(size(plan.often)) * static_cast<std::size_t>(plan.layout.pairs());
    std::vector<bits_of<Table>> cos(entries);
    std::vector<bits_of<Table>> sin(entries);
    plan.rows.rows<Table>(plan.often, unit, cos.data(), sin.data());
    cos_ = std::move(cos);
    sin_ = std::move(sin);
  }

  mutable std::once_flag made_;
  mutable std::vector<bits_of<Table>> cos_;
  mutable std::vector<bits_of<Table>> sin_;
};

/// Tables of one format, with the attention factor and without.
template <floating_format Table>
struct row_tables {
  row_table<Table> scaled;
  row_table<Table> unit;
};

/// One pair by the processor's arithmetic, which the default environment makes IEEE's; four rounded
/// operations, never fused (the build says -ffp-contract=off).
template <floating_format Float, class Wide>
bits_pair<Float> turn(bits_pair<Float> x, Wide c, Wide s) {
  const Wide x0 = from_bits<Wide>(convert<Wide, Float>(x.first));
  const Wide x1 = from_bits<Wide>(convert<Wide, Float>(x.second));
  const Wide y0 = x0 * c - x1 * s;
  const Wide y1 = x0 * s + x1 * c;
  return {convert<Float, Wide>(to_bits<Wide>(y0)), convert<Float, Wide>(to_bits<Wide>(y1))};
}

class cpu_table {
 public:
  explicit cpu_table(const ropewalk_encoding& encoding) : plan_(encoding) {
    constexpr auto entry = static_cast<std::int64_t>(2 * sizeof(double));
    const std::int64_t most_rows = largest_table_bytes / (entry * plan_.layout.pairs());
    require_field(size(plan_.often) <= most_rows, {"", "table_end"}, plan_.often.end,
                  "so many positions that a table of binary64 rows takes 1 GiB");
  }

  void apply(const ropewalk_call* call) const {
    const checked_call checked = check(call, plan_.layout.head.head_dim, plan_.axes);
    with_format(checked.dtype, [&]<class Float>() { turn_tokens<Float>(checked); });
  }

 private:
  template <floating_format Float>
  void turn_tokens(const checked_call& call) const {
    using wide = rotation_format<Float>;
    const int pairs = plan_.layout.pairs();
    token_row<wide> row(pairs);
    std::vector<bits_pair<Float>> scratch(static_cast<std::size_t>(pairs));
    const auto turn_head = [&](bits_pair<Float>* x, std::int64_t) {
      for (int pair = 0; pair < pairs; ++pair)
        x[pair] =
            turn<Float, wide>(x[pair], from_bits<wide>(row.cos()[pair]), from_bits<wide>(row.sin()[pair]));
    };
    for_each_token(call, [&](const token_place& place) {
      fill(row, place, call);
      turn_heads<Float>(call.query, place, plan_.layout, scratch, turn_head);
      turn_heads<Float>(call.key, place, plan_.layout, scratch, turn_head);
    });
  }

  template <floating_format Table>
  void fill(token_row<Table>& row, const token_place& place, const checked_call& call) const {
    const row_tables<Table>& tables = std::get<row_tables<Table>>(tables_);
    const row_table<Table>& table = call.unit ? tables.unit : tables.scaled;
    row.fill_from(plan_, place, call.backward,
                  [&](std::int64_t position, bits_of<Table>* cos, bits_of<Table>* sin) {
                    if (position >= plan_.often.begin && position < plan_.often.end)
                      table.copy_row(plan_, call.unit, position, cos, sin);
                    else
                      plan_.rows.row<Table>(position, call.unit, cos, sin);
                  });
  }

  rotation_plan plan_;
  std::tuple<row_tables<double>, row_tables<float>> tables_;
};

}  // namespace

ropewalk_kernel cpu_table_kernel() { return kernel_of<cpu_table>("cpu-table", ROPEWALK_CANONICAL); }

}  // namespace ropewalk
