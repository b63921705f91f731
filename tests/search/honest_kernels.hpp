#pragma once
// Honest kernels for every part of a promise: they round where they say and nowhere else, with the C
// library's cosines, sines and powers, fused and not.

#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "fault/canonical_steps.hpp"
#include "kernel/kernels.hpp"
#include "ropewalk/law/kernel/measure.hpp"
#include "ropewalk/law/rotation_laws.hpp"
#include "ropewalk/numeric/float_arithmetic.hpp"
#include "search/case_generator.hpp"

namespace ropewalk::honest {

struct unrounded {};  // in place of a format
struct data {};

inline const rope plain{.base = 10000, .rotary_dim = 8};
inline const rope with_factor{
    .base = 10000, .rotary_dim = 8, .scaling = yarn{.factor = 4.0, .original_max_position_embeddings = 4096}};

/// Rounds a number to a format, by way of binary64, which holds every number of the other formats.
template <floating_format To, floating_format From>
bits_of<To> rounded(bits_of<From> bits) {
  return convert<To, double>(convert<double, From>(bits));
}

template <floating_format Float>
bits_of<Float> near(double value) {
  return convert<Float, double>(to_bits(value));
}

template <floating_format Float>
double value_of(bits_of<Float> bits) {
  return from_bits<double>(convert<double, Float>(bits));
}

/// Cosine and sine of an angle in its own format, from the C library; for bfloat16 by way of binary32.
template <floating_format Angle>
bits_pair<Angle> cos_sin(bits_of<Angle> angle) {
  if constexpr (std::is_same_v<Angle, double>)
    return {to_bits(std::cos(from_bits<double>(angle))), to_bits(std::sin(from_bits<double>(angle)))};
  const float narrow = from_bits<float>(convert<float, Angle>(angle));
  return {convert<Angle, float>(to_bits(std::cos(narrow))), convert<Angle, float>(to_bits(std::sin(narrow)))};
}

/// Angle, Table and Work are formats, `data` or `unrounded`. Forms: whether frequencies are formed in
/// binary32, from the base of `plain`.
template <class Angle, class Table, class Work, bool IsFused, bool Forms = false>
struct steps : fault::canonical_steps {
  template <floating_format Row>
  void fill(token_row<Row>& row, const rotation_plan& plan, const token_place& place, bool unit,
            bool backward) const {
    if constexpr (std::is_same_v<Angle, unrounded>) {
      row.fill(plan, place, unit, backward);
      for (int pair = 0; pair < plan.layout.pairs(); ++pair)
        row.set(pair, {kept<Row>(row.at(pair).first), kept<Row>(row.at(pair).second)});
    } else {
      const auto factor = near<Angle>(unit ? 1 : plan.attention_factor);
      for (int pair = 0; pair < plan.layout.pairs(); ++pair) {
        const auto i = static_cast<std::size_t>(pair);
        const auto position = near<Angle>(static_cast<double>(place.position(plan.axis[i])));
        const auto angle = multiply<Angle>(position, frequency(plan, pair));
        bits_pair<Angle> entry = cos_sin<Angle>(angle);
        if (!unit && plan.attention_factor != 1)
          entry = {multiply<Angle>(entry.first, factor), multiply<Angle>(entry.second, factor)};
        if (backward) entry.second = negate<Angle>(entry.second);
        row.set(pair,
                {kept<Row>(rounded_entry<Row>(entry.first)), kept<Row>(rounded_entry<Row>(entry.second))});
      }
    }
  }

  template <floating_format Float>
  bits_pair<Float> turn(bits_pair<Float> x, bits_pair<rotation_format<Float>> entry) const {
    using format_of_data = std::conditional_t<std::is_same_v<Table, data>, Float, rotation_format<Float>>;
    using work = std::conditional_t<std::is_same_v<Work, data> || std::is_same_v<Float, double>, Float, Work>;
    const auto read = [](bits_of<rotation_format<Float>> bits) {
      return rounded<work, format_of_data>(rounded<format_of_data, rotation_format<Float>>(bits));
    };
    const bits_of<work> c = read(entry.first), s = read(entry.second), a = convert<work, Float>(x.first),
                        b = convert<work, Float>(x.second);
    return {convert<Float, work>(product_sum<work>(a, c, negate<work>(b), s)),
            convert<Float, work>(product_sum<work>(a, s, b, c))};
  }

 private:
  template <floating_format Row>
  static bits_of<Row> rounded_entry(auto bits) {
    return rounded<Row, Angle>(bits);
  }

  /// Rounds an entry to the table's format. Entries in the data's format are
  /// rounded in turn(), which knows it.
  template <floating_format Row>
  static bits_of<Row> kept(bits_of<Row> bits) {
    if constexpr (std::is_same_v<Table, data> || std::is_same_v<Table, unrounded>)
      return bits;
    else
      return rounded<Row, Table>(rounded<Table, Row>(bits));
  }

  static auto frequency(const rotation_plan& plan, int pair) {
    if constexpr (Forms) {
      const float exponent = static_cast<float>(2 * pair) / static_cast<float>(plan.layout.rotary_dim);
      return near<Angle>(static_cast<double>(1 / std::pow(static_cast<float>(plain.base), exponent)));
    } else {
      return near<Angle>(plan.inv_freq[static_cast<std::size_t>(pair)]);
    }
  }

  /// a b + c d, with a fused multiply-add if IsFused.
  template <floating_format Float>
  static bits_of<Float> product_sum(bits_of<Float> a, bits_of<Float> b, bits_of<Float> c, bits_of<Float> d) {
    const bits_of<Float> second = multiply<Float>(c, d);
    if constexpr (IsFused) {
      if constexpr (std::is_floating_point_v<Float>)
        return to_bits(std::fma(from_bits<Float>(a), from_bits<Float>(b), from_bits<Float>(second)));
      else
        return near<Float>(std::fma(value_of<Float>(a), value_of<Float>(b), value_of<Float>(second)));
    }
    return add<Float>(multiply<Float>(a, b), second);
  }
};

/// A kernel and what it promises.
struct honest_kernel {
  std::string name;
  ropewalk_kernel kernel;
  promise promised;
  bool forms_frequencies = false;
};

namespace detail {

template <class Angle, class Table, class Work, bool Forms = false>
void add(std::vector<honest_kernel>& to, const char* name, promise promised) {
  promised.is_fused = true;
  to.push_back({std::string(name) + ", fused",
                fault::kernel_with<steps<Angle, Table, Work, true, Forms>>("honest"), promised, Forms});
  promised.is_fused = false;
  to.push_back(
      {name, fault::kernel_with<steps<Angle, Table, Work, false, Forms>>("honest"), promised, Forms});
}

}  // namespace detail

/// Kernels for each named promise and for some without a name; bounded ones both fused and not.
inline std::vector<honest_kernel> honest_kernels() {
  std::vector<honest_kernel> kernels{{"exact", exact_kernel(), promise::exact},
                                     {"cpu-table", cpu_table_kernel(), promise::canonical}};
  detail::add<unrounded, float, float>(kernels, "rounded-table", promise::rounded_table);
  detail::add<unrounded, data, data>(kernels, "dtype-table", promise::dtype_table);
  detail::add<double, float, float>(kernels, "angle-f64", promise::angle_f64);
  detail::add<float, float, float>(kernels, "angle-f32", promise::angle_f32);
  detail::add<float, data, data, true>(kernels, "hf", promise::hf);
  detail::add<float, data, float>(
      kernels, "angle f32, table data, rotation f32",
      {.angle = ROPEWALK_PART_F32, .table = ROPEWALK_PART_DATA, .rotation = ROPEWALK_PART_F32});
  detail::add<bfloat16, bfloat16, float>(
      kernels, "angle bf16, table bf16, rotation f32",
      {.angle = ROPEWALK_PART_BF16, .table = ROPEWALK_PART_BF16, .rotation = ROPEWALK_PART_F32});
  detail::add<double, float, double>(
      kernels, "angle f64, table f32, rotation f64",
      {.angle = ROPEWALK_PART_F64, .table = ROPEWALK_PART_F32, .rotation = ROPEWALK_PART_F64});
  return kernels;
}

/// Results of one law on one kernel, over many cases.
struct tally {
  std::string_view law;
  std::int64_t cases = 0;
  std::int64_t compared = 0;
  std::int64_t failed = 0;
  double tightest = 0;  // the largest observed / bound of the cases that hold
  double mildest = std::numeric_limits<double>::infinity();  // the smallest of those that fail
  std::string first_failure{};
};

/// Tries one law in every dtype, on `cases` cases for each seed: odd seeds without an attention factor, even
/// ones with one. No cases if the law does not apply.
inline tally tried(const law<checked_rotation>& law, const honest_kernel& kernel, std::uint64_t first_seed,
                   std::uint64_t last_seed, int cases) {
  constexpr head_layout layout{11};
  const checked_rotation on_plain(kernel.kernel, kernel.promised, plain, layout);
  const checked_rotation on_factor(kernel.kernel, kernel.promised,
                                   kernel.forms_frequencies ? plain : with_factor, layout);
  tally tally{law.name};
  if (!law.applies(on_plain)) return tally;
  for (const ropewalk_dtype dtype : all_dtypes)
    for (std::uint64_t seed = first_seed; seed <= last_seed; ++seed) {
      const checked_rotation& checked = seed % 2 == 1 ? on_plain : on_factor;
      search::case_domain domain = search::domain_of(law, checked, dtype);
      for (int number = 0; number < cases; ++number) {
        domain.number = number;
        const std::uint64_t stream = 1000 * seed + static_cast<std::uint64_t>(number);
        if (law.needs.one_range) domain.range = static_cast<int>(stream % position_ranges);
        const measurement measured = measure(law, checked, search::cases(domain)(rc::Random(stream)).value());
        ++tally.cases;
        tally.compared += measured.compared;
        if (measured.holds) {
          tally.tightest = std::max(tally.tightest, measured.worst);
          continue;
        }
        if (measured.worst > 1) tally.mildest = std::min(tally.mildest, measured.worst);
        if (tally.failed++ == 0)
          tally.first_failure = std::string(name_of(dtype)) + ", seed " + std::to_string(seed) + ", case " +
                                std::to_string(number) + ": " + std::to_string(measured.worst) +
                                " of the bound " + measured.trouble;
      }
    }
  return tally;
}

/// Tries every law that applies.
inline std::vector<tally> tried(const honest_kernel& kernel, std::uint64_t first_seed,
                                std::uint64_t last_seed, int cases) {
  std::vector<tally> tallies;
  for (const law<checked_rotation>& law : rotation_laws::all) {
    if (law.needs.sizes) continue;  // has its own list of cases, and size_test.cpp
    if (const tally tally = tried(law, kernel, first_seed, last_seed, cases); tally.cases > 0)
      tallies.push_back(tally);
  }
  return tallies;
}

}  // namespace ropewalk::honest
