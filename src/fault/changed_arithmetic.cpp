// Faults of precision and rounding: the angle is correct, but the rotation rounds in another way.

#include <cmath>

#include "fault/canonical_steps.hpp"
#include "fault/known_faults.hpp"

namespace ropewalk::fault {
namespace {

enum class arithmetic {
  fused_first,         // first product of both channels unrounded
  fused_second,        // second product of both channels
  fused_first_second,  // the first of channel one, the second of channel two
  fused_second_first,
  in_binary64,  // products and sums in binary64, rounded to the data's format when stored
  in_dtype,     // the table, every product and every sum rounded to the data's format
  table_in_dtype,
  table_in_binary16,
  table_in_bfloat16,
  both_added,  // each channel is its product with the cosine plus its partner's with the sine
  both_subtracted,
  partner_overwritten,  // the second channel is computed from the new first one
  truncated,            // storage rounds toward zero
  results_flushed,      // subnormal results become zero
  inputs_flushed,       // subnormal inputs are taken as zero
  both_flushed,
  copied,
  zero,
  entries_exchanged,
  channels_exchanged
};

struct changed_arithmetic_steps : canonical_steps {
  arithmetic kind = arithmetic::copied;

  template <floating_format Float>
  bits_pair<Float> turn(bits_pair<Float> x, bits_pair<rotation_format<Float>> cos_sin) const {
    using wide = rotation_format<Float>;
    switch (kind) {
      case arithmetic::fused_first: return fused<Float>(x, cos_sin, true, true);
      case arithmetic::fused_second: return fused<Float>(x, cos_sin, false, false);
      case arithmetic::fused_first_second: return fused<Float>(x, cos_sin, true, false);
      case arithmetic::fused_second_first: return fused<Float>(x, cos_sin, false, true);
      case arithmetic::in_binary64: return in_binary64<Float>(x, cos_sin);
      case arithmetic::in_dtype: {
        const bits_of<Float> c = convert<Float, wide>(cos_sin.first),
                             s = convert<Float, wide>(cos_sin.second);
        return {subtract<Float>(multiply<Float>(x.first, c), multiply<Float>(x.second, s)),
                add<Float>(multiply<Float>(x.first, s), multiply<Float>(x.second, c))};
      }
      case arithmetic::table_in_dtype:
        return rotate_pair<Float>(
            x, {through<Float, Float>(cos_sin.first), through<Float, Float>(cos_sin.second)});
      case arithmetic::table_in_binary16:
        return rotate_pair<Float>(
            x, {through<Float, binary16>(cos_sin.first), through<Float, binary16>(cos_sin.second)});
      case arithmetic::table_in_bfloat16:
        return rotate_pair<Float>(
            x, {through<Float, bfloat16>(cos_sin.first), through<Float, bfloat16>(cos_sin.second)});
      case arithmetic::both_added:
        return {backward<Float>(x, cos_sin).first, rotate_pair<Float>(x, cos_sin).second};
      case arithmetic::both_subtracted:
        return {rotate_pair<Float>(x, cos_sin).first, backward<Float>(x, cos_sin).second};
      case arithmetic::partner_overwritten: {
        const bits_of<Float> first = rotate_pair<Float>(x, cos_sin).first;
        return {first, rotate_pair<Float>({first, x.second}, cos_sin).second};
      }
      case arithmetic::truncated: {
        const bits_pair<wide> y =
            rotate_pair<wide>({convert<wide, Float>(x.first), convert<wide, Float>(x.second)}, cos_sin);
        return {toward_zero<Float>(y.first), toward_zero<Float>(y.second)};
      }
      case arithmetic::results_flushed: return flushed<Float>(rotate_pair<Float>(x, cos_sin));
      case arithmetic::inputs_flushed: return rotate_pair<Float>(flushed<Float>(x), cos_sin);
      case arithmetic::both_flushed: return flushed<Float>(rotate_pair<Float>(flushed<Float>(x), cos_sin));
      case arithmetic::copied: return x;
      case arithmetic::zero: return {};
      case arithmetic::entries_exchanged: return rotate_pair<Float>(x, {cos_sin.second, cos_sin.first});
      case arithmetic::channels_exchanged: break;
    }
    const bits_pair<Float> y = rotate_pair<Float>(x, cos_sin);
    return {y.second, y.first};
  }

 private:
  template <floating_format Float>
  static bits_pair<Float> backward(bits_pair<Float> x, bits_pair<rotation_format<Float>> cos_sin) {
    using wide = rotation_format<Float>;
    return rotate_pair<Float>(
        x, {cos_sin.first, static_cast<bits_of<wide>>(cos_sin.second ^ format<wide>::sign_bit)});
  }

  /// An entry of the table for Float's rotations, rounded to another format.
  template <floating_format Float, floating_format Stored>
  static bits_of<rotation_format<Float>> through(bits_of<rotation_format<Float>> entry) {
    using wide = rotation_format<Float>;
    return convert<wide, Stored>(convert<Stored, wide>(entry));
  }

  template <floating_format Float>
  static bits_of<Float> toward_zero(bits_of<rotation_format<Float>> value) {
    using wide = rotation_format<Float>;
    const bits_of<Float> nearest = convert<Float, wide>(value);
    const bits_of<wide> back = convert<wide, Float>(nearest);
    const bool is_above = !is_nan<wide>(value) && magnitude<wide>(back) > magnitude<wide>(value);
    return is_above ? static_cast<bits_of<Float>>(nearest - 1) : nearest;
  }

  template <floating_format Float>
  static bits_pair<Float> flushed(bits_pair<Float> x) {
    const auto flush = [](bits_of<Float> bits) {
      constexpr auto smallest_normal =
          static_cast<bits_of<Float>>(bits_of<Float>{1} << (format<Float>::precision - 1));
      return magnitude<Float>(bits) < smallest_normal
                 ? static_cast<bits_of<Float>>(bits & format<Float>::sign_bit)
                 : bits;
    };
    return {flush(x.first), flush(x.second)};
  }

  // Hardware arithmetic, in the default environment that every kernel sets.

  template <floating_format Float>
  static bits_pair<Float> fused(bits_pair<Float> x, bits_pair<rotation_format<Float>> cos_sin,
                                bool first_of_y0, bool first_of_y1) {
    using wide = rotation_format<Float>;
    const wide x0 = from_bits<wide>(convert<wide, Float>(x.first));
    const wide x1 = from_bits<wide>(convert<wide, Float>(x.second));
    const wide c = from_bits<wide>(cos_sin.first), s = from_bits<wide>(cos_sin.second);
    const wide y0 = first_of_y0 ? std::fma(x0, c, -(x1 * s)) : std::fma(-x1, s, x0 * c);
    const wide y1 = first_of_y1 ? std::fma(x0, s, x1 * c) : std::fma(x1, c, x0 * s);
    return {convert<Float, wide>(to_bits<wide>(y0)), convert<Float, wide>(to_bits<wide>(y1))};
  }

  template <floating_format Float>
  static bits_pair<Float> in_binary64(bits_pair<Float> x, bits_pair<rotation_format<Float>> cos_sin) {
    using wide = rotation_format<Float>;
    const bits_pair<double> y =
        rotate_pair<double>({convert<double, Float>(x.first), convert<double, Float>(x.second)},
                            {convert<double, wide>(cos_sin.first), convert<double, wide>(cos_sin.second)});
    return {convert<Float, double>(y.first), convert<Float, double>(y.second)};
  }
};

/// The same, with each pair's matrix equal to its transpose, so that a backward pass derived from the forward
/// pass, as in torch, rotates gradients like values.
struct derived_backward_steps : changed_arithmetic_steps {
  template <floating_format Table>
  void fill(token_row<Table>& row, const rotation_plan& plan, const token_place& place, bool unit,
            bool /*backward*/) const {
    row.fill(plan, place, unit, false);
  }
};

template <arithmetic kind>
known_fault derived(const char* name, const char* sentence) {
  return {kernel_with_steps<derived_backward_steps{{{}, kind}}>(name), sentence};
}

template <arithmetic kind>
known_fault with(const char* name, const char* sentence) {
  return {kernel_with_steps<changed_arithmetic_steps{{}, kind}>(name), sentence};
}

}  // namespace

std::vector<known_fault> changed_arithmetic() {
  using enum arithmetic;
  // One sentence for five faults: few results distinguish them.
  constexpr const char* fused =
      "products are not rounded before they are added: they are fused, or pairs are turned in binary64";
  constexpr const char* added =
      "the first channel of a pair has the sine's product added, not subtracted: it lacks a minus";
  constexpr const char* subtracted =
      "the second channel of a pair has the sine's product subtracted, not added";
  constexpr const char* exchanged = "the two channels of each pair are exchanged";
  return {
      with<fused_first>("fault-fused-first", fused),
      with<fused_second>("fault-fused-second", fused),
      with<fused_first_second>("fault-fused-first-second", fused),
      with<fused_second_first>("fault-fused-second-first", fused),
      with<in_binary64>("fault-turned-in-binary64", fused),
      with<in_dtype>("fault-turned-in-dtype", "every product and sum is rounded to the data's format"),
      with<table_in_dtype>("fault-table-in-dtype", "cosines and sines are rounded to the data's format"),
      with<table_in_binary16>("fault-table-in-binary16",
                              "cosines and sines are rounded to binary16, whatever the data's format"),
      with<table_in_bfloat16>("fault-table-in-bfloat16",
                              "cosines and sines are rounded to bfloat16, whatever the data's format"),
      with<both_added>("fault-both-added", added),
      derived<both_added>("fault-both-added-derived", added),
      with<both_subtracted>("fault-both-subtracted", subtracted),
      derived<both_subtracted>("fault-both-subtracted-derived", subtracted),
      with<partner_overwritten>("fault-partner-overwritten",
                                "the first channel of a pair is overwritten before the second is formed"),
      with<truncated>("fault-truncated", "results are rounded toward zero when they are stored"),
      with<results_flushed>("fault-results-flushed", "subnormal results are flushed to zero"),
      with<inputs_flushed>("fault-inputs-flushed", "subnormal inputs are flushed to zero"),
      with<both_flushed>("fault-both-flushed", "subnormal inputs and results are flushed to zero"),
      with<copied>("fault-copied", "pairs are copied as they are: left unrotated"),
      with<zero>("fault-zero", "zeros are written in place of the rotated pairs"),
      with<entries_exchanged>("fault-entries-exchanged", "cosine and sine are exchanged"),
      with<channels_exchanged>("fault-channels-exchanged", exchanged),
      derived<channels_exchanged>("fault-channels-exchanged-derived", exchanged),
  };
}

}  // namespace ropewalk::fault
