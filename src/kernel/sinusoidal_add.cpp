// Sinusoidal rows added to tokens, with rows from a table for the positions that the encoding lists as
// frequent. Rows of other positions, and of all positions in binary64, are computed during the call.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <type_traits>
#include <vector>

#include "kernel/fast_rows.hpp"
#include "kernel/kernels.hpp"
#include "kernel/page_memory.hpp"
#include "kernel/real_call_rows.hpp"
#include "kernel/row_adder.hpp"
#include "kernel/row_space.hpp"
#include "kernel/targeted_kernel.hpp"
#include "kernel/wide_rows.hpp"
#include "ropewalk/kernel/row_plan.hpp"

namespace ropewalk {
namespace {

constexpr std::int64_t largest_kept_bytes = std::int64_t{1} << 30;  // per format

/// Writes sines and cosines to their channels in the layout.
template <class Lane>
void arrange(const row_plan& plan, const Lane* cos, const Lane* sin, Lane* to) {
  const int pairs = plan.channels() / 2;
  const channel_pair first = plan.channels_of_pair(0);
  if (plan.pairs.layout.head.pairing_out == pairing::half_split) {
    std::copy_n(sin, pairs, to + first.first);
    std::copy_n(cos, pairs, to + first.second);
    return;
  }
  for (int pair = 0; pair < pairs; ++pair) {
    to[2 * pair + first.first] = sin[pair];
    to[2 * pair + first.second] = cos[pair];
  }
}

/// Whether row_walk and wide_walk can compute the row of a position: they take signed 32-bit positions.
bool is_walked(const row_plan& plan, std::int64_t position) {
  return !plan.is_zero_row(position) && plan.row_of(position) <= largest_position;
}

template <class Lane>
void exact_row(const row_plan& plan, std::int64_t position, Lane* to) {
  std::vector<bits_of<Lane>> bits(static_cast<std::size_t>(plan.channels()));
  plan.row<Lane>(position, bits.data());
  std::transform(bits.begin(), bits.end(), to, from_bits<Lane>);
}

/// The table of one format, filled on first use. Several threads may use it at once.
template <class Lane>
class kept_rows {
 public:
  /// The rows of the positions in plan.pairs.often.
  const Lane* rows(const row_plan& plan, const fast_rows& rows) const {
    std::call_once(made_, [&] { make(plan, rows); });
    return rows_.data();
  }

 private:
  static constexpr std::int64_t walked_at_once = 256;

  void make(const row_plan& plan, const fast_rows& rows) const {
    const position_range often = plan.pairs.often;
    page_memory<Lane> made(static_cast<std::size_t>(size(often) * plan.channels()));
    const auto pairs = static_cast<std::size_t>(plan.channels() / 2);
    std::vector<Lane> cos(static_cast<std::size_t>(walked_at_once) * pairs + simd::row_multiple),
        sin(cos.size());
    auto walk = walk_of(plan, rows);
    for (std::int64_t begin = often.begin; begin < often.end; begin += walked_at_once) {
      const std::int64_t end = std::min(begin + walked_at_once, often.end);
      const std::int64_t last = std::min(plan.row_of(end), largest_position + 1);
      if (plan.row_of(begin) < last) fill(walk, {plan.row_of(begin), last}, cos.data(), sin.data());
      for (std::int64_t position = begin; position < end; ++position) {
        Lane* to = made.data() + (position - often.begin) * plan.channels();
        const std::size_t first = static_cast<std::size_t>(position - begin) * pairs;
        if (is_walked(plan, position))
          arrange(plan, cos.data() + first, sin.data() + first, to);
        else
          exact_row(plan, position, to);
      }
    }
    rows_ = std::move(made);
  }

  static auto walk_of(const row_plan& plan, const fast_rows& rows) {
    if constexpr (std::is_same_v<Lane, float>) {
      (void)plan;
      return row_walk(rows);
    } else {
      return std::make_unique<wide_rows>(plan.pairs, rows.target(), true);
    }
  }
  static void fill(row_walk& walk, position_range range, float* cos, float* sin) {
    walk.rows(range, true, cos, sin);
  }
  static void fill(const std::unique_ptr<wide_rows>& rows, position_range range, double* cos, double* sin) {
    wide_walk(*rows).rows(range, cos, sin);
  }

  mutable std::once_flag made_;
  mutable page_memory<Lane> rows_;
};

/// Computes rows that are not in the table, in its own memory. For one call.
template <class Lane>
class computed_row {
 public:
  computed_row(const row_plan& plan, const fast_rows& rows)
      : plan_(plan),
        rows_(rows),
        walk_(rows),
        space_(rows.pairs()),
        row_(static_cast<std::size_t>(plan.channels())) {}

  const Lane* at(std::int64_t position) {
    if (!is_walked(plan_, position)) {
      exact_row(plan_, position, row_.data());
      return row_.data();
    }
    if constexpr (std::is_same_v<Lane, float>)
      walk_.row(plan_.row_of(position), true, space_.cos(), space_.sin(), space_.undecided());
    else
      rows_.row(plan_.row_of(position), true, space_.cos(), space_.sin(), space_.undecided());
    arrange(plan_, space_.cos(), space_.sin(), row_.data());
    return row_.data();
  }

 private:
  const row_plan& plan_;
  const fast_rows& rows_;
  row_walk walk_;
  row_space<Lane> space_;
  std::vector<Lane> row_;
};

/// Computes rows at positions in binary64, in its own memory. For one call.
template <class Lane>
class real_row {
 public:
  real_row(const row_plan& plan, const real_rows& rows, std::int64_t tokens)
      : plan_(plan),
        rows_(rows, tokens, true),
        space_(plan.channels() / 2),
        row_(static_cast<std::size_t>(plan.channels())) {}

  const Lane* at(const token_place& place) {
    rows_.at(place, space_.cos(), space_.sin(), space_.undecided());
    arrange(plan_, space_.cos(), space_.sin(), row_.data());
    return row_.data();
  }

 private:
  const row_plan& plan_;
  real_call_rows<Lane> rows_;
  row_space<Lane> space_;
  std::vector<Lane> row_;
};

/// The rows of one call. The table and the memory of computed rows are allocated when a position first needs
/// them.
template <class Lane>
class rows_to_add {
 public:
  rows_to_add(const row_plan& plan, const fast_rows& rows, const kept_rows<Lane>& table)
      : plan_(plan), rows_(rows), table_(table) {}

  /// The row of a position in plan.pairs.often; the rows of the next positions follow it.
  const Lane* kept(std::int64_t position) {
    if (kept_ == nullptr) kept_ = table_.rows(plan_, rows_);
    return kept_ + (position - plan_.pairs.often.begin) * plan_.channels();
  }

  /// The row of any position, valid until the next is computed.
  const Lane* computed(std::int64_t position) {
    if (!computed_) computed_.emplace(plan_, rows_);
    return computed_->at(position);
  }

 private:
  const row_plan& plan_;
  const fast_rows& rows_;
  const kept_rows<Lane>& table_;
  const Lane* kept_ = nullptr;
  std::optional<computed_row<Lane>> computed_;
};

class sinusoidal_add {
 public:
  using operation = add_row;

  sinusoidal_add(const ropewalk_row_addition& encoding, const simd::target& target)
      : plan_(encoding), target_(target), rows_(plan_.pairs, target), reals_(plan_.pairs, rows_) {
    const std::int64_t most_rows =
        largest_kept_bytes / (static_cast<std::int64_t>(sizeof(double)) * plan_.channels());
    require_field(size(plan_.pairs.often) <= most_rows, {"", "table_end"}, plan_.pairs.often.end,
                  "at most as many positions as a 1 GiB table of binary64 rows holds");
  }
  sinusoidal_add(const sinusoidal_add&) = delete;
  sinusoidal_add& operator=(const sinusoidal_add&) = delete;

  void apply(const ropewalk_row_call& call) const {
    const checked_call checked = check(call, plan_.width(), plan_.may_be_real());
    if (checked.dtype == ROPEWALK_F64)
      add<double>(checked);
    else
      add<float>(checked);
  }

 private:
  template <class Lane>
  void add(const checked_call& call) const {
    if (call.real_positions != nullptr)
      add_real_rows<Lane>(call);
    else
      add_rows<Lane>(call);
  }

  template <class Lane>
  void add_real_rows(const checked_call& call) const {
    row_adder adder(call, target_);
    real_row<Lane> row(plan_, reals_, call.end - call.begin);
    for_each_token(call, [&](const token_place& place) {
      const token_stretch stretch{.row = place.row, .token = place.token, .tokens = 1};
      adder.add_to_all_heads(stretch, {0, plan_.channels()}, row.at(place), 0);
      adder.pass_through(stretch, plan_.channels());
    });
    adder.finish();
  }

  template <class Lane>
  void add_rows(const checked_call& call) const {
    row_adder adder(call, target_);
    rows_to_add<Lane> rows(plan_, rows_, std::get<kept_rows<Lane>>(tables_));
    const added_channels added{0, plan_.channels()};
    const auto row_bytes = plan_.channels() * static_cast<std::ptrdiff_t>(sizeof(Lane));
    for_each_stretch(call, call.end - call.begin, [&](const token_stretch& stretch) {
      const auto until = [&](std::int64_t position) {
        return std::clamp<std::int64_t>(position - stretch.position, 0, stretch.tokens);
      };
      const std::int64_t kept_begin = until(plan_.pairs.often.begin), kept_end = until(plan_.pairs.often.end);
      const auto add_computed = [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
          adder.add_to_all_heads(stretch.part(i, i + 1), added, rows.computed(stretch.position + i), 0);
      };
      add_computed(0, kept_begin);
      if (kept_begin < kept_end) {
        const token_stretch kept = stretch.part(kept_begin, kept_end);
        adder.add_to_all_heads(kept, added, rows.kept(kept.position), row_bytes);
      }
      add_computed(kept_end, stretch.tokens);
      adder.pass_through(stretch, plan_.channels());
    });
    adder.finish();
  }

  row_plan plan_;
  const simd::target& target_;
  fast_rows rows_;
  real_rows reals_;
  std::tuple<kept_rows<double>, kept_rows<float>> tables_;
};

}  // namespace

std::vector<ropewalk_kernel> sinusoidal_add_kernels() {
  return targeted_kernels<sinusoidal_add>("cpu-sinusoidal-add", &every_position_kind);
}

}  // namespace ropewalk
