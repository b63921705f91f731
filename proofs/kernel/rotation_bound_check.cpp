// Attacks the bounds of law/judge/bound.hpp with the worst inputs that annealing finds in the formats' own
// arithmetic: no error may exceed its bound, and each attack must reach a stated share of its bound.

#include <mpfr.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numbers>
#include <random>
#include <string>
#include <string_view>
#include <type_traits>

#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/law/judge/bound.hpp"
#include "ropewalk/law/kernel/formed_frequency.hpp"
#include "ropewalk/numeric/float_arithmetic.hpp"
#include "ropewalk/numeric/upper_binary64.hpp"

namespace ropewalk {
namespace {

/// A real number to 200 bits: 2^-147 u of binary64, far below the second-order terms of the bounds.
class real {
 public:
  real() { mpfr_init2(value_, 200), mpfr_set_zero(value_, 1); }
  real(double value) : real() { mpfr_set_d(value_, value, MPFR_RNDN); }
  real(const real& other) : real() { mpfr_set(value_, other.value_, MPFR_RNDN); }
  real& operator=(const real& other) { return mpfr_set(value_, other.value_, MPFR_RNDN), *this; }
  ~real() { mpfr_clear(value_); }
  double number() const { return mpfr_get_d(value_, MPFR_RNDN); }
  mpfr_ptr get() { return value_; }
  mpfr_srcptr get() const { return value_; }

 private:
  mpfr_t value_;
};
real operator+(real a, const real& b) { return mpfr_add(a.get(), a.get(), b.get(), MPFR_RNDN), a; }
real operator-(real a, const real& b) { return mpfr_sub(a.get(), a.get(), b.get(), MPFR_RNDN), a; }
real operator*(real a, const real& b) { return mpfr_mul(a.get(), a.get(), b.get(), MPFR_RNDN), a; }
real root(real a) { return mpfr_sqrt(a.get(), a.get(), MPFR_RNDN), a; }

template <floating_format Float>
real value_of(bits_of<Float> bits) {
  const decoded number = decode<Float>(bits);
  const auto significand = static_cast<double>(number.significand);
  real value(number.negative ? -significand : significand);
  mpfr_mul_2si(value.get(), value.get(), number.exponent, MPFR_RNDN);
  return value;
}

/// Correctly rounded, subnormals included.
template <floating_format Float>
bits_of<Float> rounded(const real& value) {
  using traits = format<Float>;
  if (mpfr_zero_p(value.get())) return 0;
  const int exponent = static_cast<int>(mpfr_get_exp(value.get())) - traits::precision;
  const int last_place = std::max(exponent, traits::smallest_ulp_exponent);
  real scaled = value;
  mpfr_mul_2si(scaled.get(), scaled.get(), -last_place, MPFR_RNDN);
  mpfr_rint(scaled.get(), scaled.get(), MPFR_RNDN);
  mpfr_abs(scaled.get(), scaled.get(), MPFR_RNDN);
  const auto count = static_cast<std::uint64_t>(scaled.number());
  // `count` includes the hidden bit, which adds 1 to the exponent field; a carry moves to the next binade.
  const auto field = static_cast<std::uint64_t>(last_place - traits::smallest_ulp_exponent);
  const std::uint64_t size = (field << (traits::precision - 1)) + count;
  return static_cast<bits_of<Float>>(size |
                                     (mpfr_sgn(value.get()) < 0 ? std::uint64_t{traits::sign_bit} : 0));
}

template <floating_format Float>
using pair_of = std::array<bits_of<Float>, 2>;

/// Which product is fused with the sum: none in the canonical rotation; `fused_mixed` fuses in y0 alone.
enum class fusing { canonical, fused_first, fused_second, fused_mixed };

template <floating_format Float>
bits_of<Float> product_sum(bits_of<Float> a, bits_of<Float> b, bits_of<Float> c, bits_of<Float> d,
                           fusing fused) {
  if constexpr (std::is_floating_point_v<Float>) {
    const auto number = [](bits_of<Float> bits) { return std::bit_cast<Float>(bits); };
    if (fused == fusing::fused_first)
      return std::bit_cast<bits_of<Float>>(std::fma(number(a), number(b), number(multiply<Float>(c, d))));
    if (fused == fusing::fused_second || fused == fusing::fused_mixed)
      return std::bit_cast<bits_of<Float>>(std::fma(number(c), number(d), number(multiply<Float>(a, b))));
  }
  return add<Float>(multiply<Float>(a, b), multiply<Float>(c, d));
}

/// One rotation in Float by the entries (cosine, sine); `mixed` fuses the first component alone.
template <floating_format Float>
pair_of<Float> rotated(const pair_of<Float>& x, const pair_of<Float>& entry, fusing fused) {
  const fusing second = fused == fusing::fused_mixed ? fusing::canonical : fused;
  return {product_sum<Float>(x[0], entry[0], x[1], negate<Float>(entry[1]), fused),
          product_sum<Float>(x[0], entry[1], x[1], entry[0], second)};
}

/// State of the search: a pair, an angle as a sum of two binary64 numbers, an attention factor.
template <floating_format Float>
struct state {
  pair_of<Float> x{};
  double angle = 0, angle_rest = 0, attention_factor = 1;
};

struct exact_pair {
  real first, second;
};
exact_pair exact_rotation(const real& x0, const real& x1, const real& cosine, const real& sine) {
  return {x0 * cosine - x1 * sine, x0 * sine + x1 * cosine};
}
exact_pair exact_entries(const real& angle, double attention_factor) {
  real sine, cosine;
  mpfr_sin_cos(sine.get(), cosine.get(), angle.get(), MPFR_RNDN);
  return {real(attention_factor) * cosine, real(attention_factor) * sine};
}

/// |observed - exact| / (relative a |x| + absolute)
template <floating_format Float>
double share_of_bound(const pair_of<Float>& observed, const exact_pair& exact, const state<Float>& at,
                      double factor, const pair_bound& bound) {
  const real x0 = value_of<Float>(at.x[0]), x1 = value_of<Float>(at.x[1]);
  const real e0 = value_of<Float>(observed[0]) - exact.first,
             e1 = value_of<Float>(observed[1]) - exact.second;
  const real allowed = real(bound.relative) * real(factor) * root(x0 * x0 + x1 * x1) + real(bound.absolute);
  real share = root(e0 * e0 + e1 * e1);
  mpfr_div(share.get(), share.get(), allowed.get(), MPFR_RNDN);
  return share.number();
}

/// A kernel with a correctly rounded table in Table, arithmetic in Work and tensors in Float.
template <floating_format Float, floating_format Table, floating_format Work>
pair_of<Float> kernel(const pair_of<Float>& x, const exact_pair& entries, fusing fused) {
  const pair_of<Work> entry{convert<Work, Table>(rounded<Table>(entries.first)),
                            convert<Work, Table>(rounded<Table>(entries.second))};
  const pair_of<Work> wide{convert<Work, Float>(x[0]), convert<Work, Float>(x[1])};
  const pair_of<Work> turned = rotated<Work>(wide, entry, fused);
  return {convert<Float, Work>(turned[0]), convert<Float, Work>(turned[1])};
}

/// One rotation against the accuracy bound of a promise.
template <floating_format Float, floating_format Table, floating_format Work>
double accuracy_share(const state<Float>& at, promise promised, fusing fused) {
  const exact_pair entries = exact_entries(real(at.angle) + real(at.angle_rest), at.attention_factor);
  const exact_pair exact =
      exact_rotation(value_of<Float>(at.x[0]), value_of<Float>(at.x[1]), entries.first, entries.second);
  return share_of_bound<Float>(kernel<Float, Table, Work>(at.x, entries, fused), exact, at,
                               at.attention_factor, accuracy_bound<Float>(promised, at.attention_factor, 0));
}

/// Two canonical rotations by `angle` against the composition bound.
template <floating_format Float>
double composition_share(const state<Float>& at) {
  using work = rotation_format<Float>;
  const double a = at.attention_factor;
  const real angle = real(at.angle) + real(at.angle_rest);
  const exact_pair once = exact_entries(angle, a), twice = exact_entries(angle + angle, a * a);
  const pair_of<Float> first = kernel<Float, work, work>(at.x, once, fusing::canonical);
  const exact_pair exact =
      exact_rotation(value_of<Float>(at.x[0]), value_of<Float>(at.x[1]), twice.first, twice.second);
  const pair_bound bound = accuracy_bound<Float>(promise::canonical, a, 0);
  return share_of_bound<Float>(kernel<Float, work, work>(first, once, fusing::canonical), exact, at, a * a,
                               composition_bound(bound, bound, a));
}

/// A kernel with inverse frequency, position, product, entries and attention factor in Angle, entries stored
/// in Table and the rotation in Work. Cosine and sine are rounded to nearest, more accurately than the
/// promise requires. `at.angle` is the inverse frequency and `at.angle_rest` the position.
template <floating_format Float, floating_format Angle, floating_format Table, floating_format Work>
double formed_angle_share(const state<Float>& at, promise promised) {
  const bits_of<Angle> formed =
      multiply<Angle>(rounded<Angle>(real(at.angle_rest)), rounded<Angle>(real(at.angle)));
  const exact_pair near = exact_entries(value_of<Angle>(formed), 1);
  const bits_of<Angle> factor = rounded<Angle>(real(at.attention_factor));
  const auto entry_of = [&](const real& value) {
    const bits_of<Angle> scaled =
        at.attention_factor == 1 ? rounded<Angle>(value) : multiply<Angle>(factor, rounded<Angle>(value));
    return convert<Work, Table>(rounded<Table>(value_of<Angle>(scaled)));
  };
  const pair_of<Work> entry{entry_of(near.first), entry_of(near.second)};
  const pair_of<Work> wide{convert<Work, Float>(at.x[0]), convert<Work, Float>(at.x[1])};
  const pair_of<Work> turned = rotated<Work>(wide, entry, fusing::canonical);
  const pair_of<Float> stored{convert<Float, Work>(turned[0]), convert<Float, Work>(turned[1])};
  const exact_pair meant = exact_entries(real(at.angle) * real(at.angle_rest), at.attention_factor);
  const exact_pair exact =
      exact_rotation(value_of<Float>(at.x[0]), value_of<Float>(at.x[1]), meant.first, meant.second);
  const double reach = std::fabs(at.angle * at.angle_rest) * (1 + 0x1p-50);
  return share_of_bound<Float>(stored, exact, at, at.attention_factor,
                               accuracy_bound<Float>(promised, at.attention_factor, reach));
}

/// The part of a promise for a number that is formed in a format.
template <class Float>
constexpr ropewalk_part formed_in = std::is_same_v<Float, float>    ? ROPEWALK_PART_F32
                                    : std::is_same_v<Float, double> ? ROPEWALK_PART_F64
                                                                    : ROPEWALK_PART_BF16;

/// A formed number against the exact one, as a share of the bound of its relative error in binary32, as
/// `formed_error` has it for the number's own format.
template <class Real>
double formed_share(Real formed, const enclosure<4>& exact, double bound_in_binary32) {
  const enclosure<4> number = enclosure<4>::of(static_cast<double>(formed));
  return upper_binary64((number - exact) / exact) / detail::formed_error(formed_in<Real>, bound_in_binary32);
}

/// The base as engines form it, in binary64.
double formed_base(const rope& config) {
  if (!config.scaling.is<dynamic>()) return config.base;
  const dynamic& rule = config.scaling.as<dynamic>();
  const double d = config.rotary_dim, n = static_cast<double>(config.seq_len);
  return config.base *
         std::pow(rule.factor * n / rule.max_position_embeddings - (rule.factor - 1), d / (d - 2));
}

/// The pair index that makes `turns` turns within the original length, an end of YaRN's ramp, as engines form
/// it in binary64.
double formed_ramp_end(const rope& config, double turns) {
  const double length = config.scaling.as<yarn>().original_max_position_embeddings;
  return config.rotary_dim * std::log(length / (turns * 2 * std::numbers::pi)) / (2 * std::log(config.base));
}

/// The inverse frequency of a pair as engines form it, against the bound of its roundings.
template <class Real>
double formed_frequency_share(const rope& config, int pair) {
  const auto power = std::pow(static_cast<Real>(formed_base(config)),
                              static_cast<Real>(2 * pair) / static_cast<Real>(config.rotary_dim));
  Real formed = 1 / power;
  const rope_shared<4> shared = share<4>(config);
  if (config.scaling.is<linear>()) formed /= static_cast<Real>(config.scaling.as<linear>().factor);
  if (config.scaling.is<llama3>()) {
    const llama3& rule = config.scaling.as<llama3>();
    const auto length = static_cast<Real>(rule.original_max_position_embeddings),
               s = static_cast<Real>(rule.factor);
    const auto low = static_cast<Real>(rule.low_freq_factor), high = static_cast<Real>(rule.high_freq_factor);
    const Real wavelength = 2 * std::numbers::pi_v<Real> / formed,
               kept = (length / wavelength - low) / (high - low);
    formed = wavelength > length / low    ? formed / s
             : wavelength < length / high ? formed
                                          : (1 - kept) * formed / s + kept * formed;
  }
  if (config.scaling.is<yarn>()) {
    const yarn& rule = config.scaling.as<yarn>();
    const double first = formed_ramp_end(config, rule.beta_fast),
                 last = formed_ramp_end(config, rule.beta_slow);
    const double most = config.rotary_dim - 1;
    const auto low = static_cast<Real>(std::max(rule.truncate ? std::floor(first) : first, 0.0)),
               high = static_cast<Real>(std::min(rule.truncate ? std::ceil(last) : last, most));
    const Real divided = std::clamp((static_cast<Real>(pair) - low) / (high - low), Real{0}, Real{1}),
               kept = 1 - divided;
    formed = 1 / (static_cast<Real>(factor_of(config.scaling)) * power) * (1 - kept) + formed * kept;
  }
  const promise forms{.frequency = formed_in<Real>};
  return formed_share(formed, rope_inv_freq<4>(pair, config, shared),
                      frequency_error_under(forms, placed_rope{config}, pair));
}

/// The inverse frequency of a pair by repeated multiplication in binary32, against its bound: of a power of
/// the base, as ggml forms it, or of a reciprocal.
double repeated_frequency_share(const rope& config, int pair, bool is_reciprocal) {
  const float base = static_cast<float>(config.base), exponent = 2 / static_cast<float>(config.rotary_dim);
  const float step = is_reciprocal ? 1 / std::pow(base, exponent) : std::pow(base, -exponent);
  float formed = 1;
  for (int before = 0; before < pair; ++before) formed *= step;
  if (config.scaling.is<linear>()) formed /= static_cast<float>(config.scaling.as<linear>().factor);
  return formed_share(
      formed, rope_inv_freq<4>(pair, config, share<4>(config)),
      frequency_error_under({.frequency = ROPEWALK_PART_REPEATED_F32}, placed_rope{config}, pair));
}

/// The start of an attack, and the share of the bound that it must reach.
struct attack {
  const char* name;
  double least_share = 0;
  double size = 0;              // of both elements of x
  double angle = 0;             // or the inverse frequency, if there is a position
  double attention_factor = 1;  // varied unless it is 1
  double position = 0;          // the largest position; 0: `angle` is an angle
};

std::mt19937_64 generator(20210420);
double uniform(double low, double high) {
  return low + (high - low) * static_cast<double>(generator() >> 11) * 0x1p-53;
}

template <floating_format Float>
bits_of<Float> nudged(bits_of<Float> bits) {
  const std::uint64_t reach = std::uint64_t{1}
                              << (generator() % static_cast<unsigned>(format<Float>::precision));
  const auto step = static_cast<bits_of<Float>>(generator() % (reach + 1));
  const auto moved = static_cast<bits_of<Float>>((generator() & 1) != 0 ? bits + step : bits - step);
  return is_finite<Float>(moved) ? moved : bits;
}

template <floating_format Float>
state<Float> begun(const attack& plan) {
  const auto near = [](double value) { return value * uniform(0.996, 1.004); };
  state<Float> at{{rounded<Float>(near(plan.size)), rounded<Float>(near(plan.size))}, near(plan.angle)};
  at.angle_rest = std::nearbyint(plan.position * uniform(0.5, 1));
  if (plan.attention_factor != 1) at.attention_factor = near(plan.attention_factor);
  return at;
}

template <floating_format Float>
state<Float> moved(state<Float> at, const attack& plan) {
  const auto places = static_cast<unsigned>(format<Float>::precision) + 6;
  const double step = std::exp2(-static_cast<double>(generator() % places)) * uniform(-0.1, 0.1);
  switch (generator() % (plan.attention_factor == 1 ? 4u : 5u)) {
    case 0: at.x[0] = nudged<Float>(at.x[0]); break;
    case 1: at.x[1] = nudged<Float>(at.x[1]); break;
    case 2: at.angle *= 1 + step; break;
    case 3:
      if (plan.position == 0)
        at.angle_rest += 0x1p-54 * uniform(-1, 1);
      else
        at.angle_rest = std::clamp(std::nearbyint(at.angle_rest * (1 + step)), 1.0, plan.position);
      break;
    default: at.attention_factor *= 1 + step; break;
  }
  return at;
}

/// Anneals from several starts and returns the largest share of the bound.
template <floating_format Float, class Share>
double worst_share(const attack& plan, Share share) {
  constexpr int starts = 5, steps = 9000;
  constexpr double temperature = 0.03;  // in shares of the bound, at the start
  double worst = 0;
  for (int start = 0; start < starts; ++start) {
    state<Float> at = begun<Float>(plan);
    double here = share(at);
    for (int step = 0; step < steps; ++step) {
      const double left = 1 - static_cast<double>(step) / steps;
      const state<Float> next = moved<Float>(at, plan);
      const double there = share(next);
      worst = std::max(worst, there);
      if (there > here || uniform(0, 1) < std::exp((there - here) / (temperature * left * left)))
        at = next, here = there;
    }
  }
  return worst;
}

int failures = 0;

template <floating_format Float, class Share>
void run(const attack& plan, Share share) {
  const double worst = worst_share<Float>(plan, share);
  const bool holds = worst <= 1, strong = worst >= plan.least_share;
  std::printf("%-5s %-48s %.4f of the bound%s%s\n", format<Float>::name, plan.name, worst,
              holds ? "" : ", which is wrong", strong ? "" : ": the attack is weak");
  failures += holds && strong ? 0 : 1;
}

template <floating_format Float, floating_format Table, floating_format Work>
void run_accuracy(const attack& plan, promise promised, fusing fused) {
  run<Float>(plan,
             [=](const state<Float>& at) { return accuracy_share<Float, Table, Work>(at, promised, fused); });
}

constexpr double eighth = 0.78539816339744828;  // of a turn, in radians
constexpr double just_above = 0.7072;           // a pair of these has a norm just above 1

template <floating_format Float>
void attack_rotation() {
  using work = rotation_format<Float>;
  run_accuracy<Float, work, work>({"canonical", 0.85, just_above, eighth}, promise::canonical,
                                  fusing::canonical);
  run_accuracy<Float, work, work>({"canonical, attention factor", 0.75, just_above, eighth, 1.4143},
                                  promise::canonical, fusing::canonical);
  run<Float>({"composition", 0.55, just_above, eighth}, composition_share<Float>);
}

template <floating_format Float>
void attack_own_format() {
  run_accuracy<Float, Float, Float>({"table and rotation in the format", 0.75, just_above, eighth},
                                    promise::dtype_table, fusing::canonical);
  run_accuracy<Float, Float, Float>(
      {"table and rotation in the format, factor", 0.75, just_above, eighth, 1.4143}, promise::dtype_table,
      fusing::canonical);
}

template <floating_format Float>
void attack_fused() {
  run_accuracy<Float, float, Float>({"fused, first product", 0.65, just_above, eighth},
                                    promise::rounded_table, fusing::fused_first);
  run_accuracy<Float, float, Float>({"fused, second product", 0.65, just_above, eighth},
                                    promise::rounded_table, fusing::fused_second);
  run_accuracy<Float, float, Float>({"first component fused", 0.8, just_above, eighth},
                                    promise::rounded_table, fusing::fused_mixed);
}

/// Products and, in the last attack, table entries below the smallest normal.
template <floating_format Float>
void attack_underflow() {
  const double tiny = smallest_subnormal<Float>;
  run_accuracy<Float, Float, Float>({"subnormal pair", 0.6, 40 * tiny, eighth}, promise::dtype_table,
                                    fusing::canonical);
  run_accuracy<Float, Float, Float>(
      {"products at the smallest normal", 0.5, tiny / unit_roundoff<Float>, eighth}, promise::dtype_table,
      fusing::canonical);
  run_accuracy<Float, Float, Float>({"subnormal sine", 0.4, 1, 40 * tiny, 1.4143}, promise::dtype_table,
                                    fusing::canonical);
}

template <floating_format Float, floating_format Angle, floating_format Table, floating_format Work>
void run_formed_angle(const attack& plan, promise promised) {
  run<Float>(plan, [=](const state<Float>& at) {
    return formed_angle_share<Float, Angle, Table, Work>(at, promised);
  });
}

template <class Real>
void report_share(const std::string& name, double worst, double least_share) {
  const bool holds = worst <= 1, strong = worst >= least_share;
  const std::string_view format = name_of(dtype_of<Real>);
  std::printf("%-5s %-48s %.4f of the bound%s%s\n", std::string(format).c_str(), name.c_str(), worst,
              holds ? "" : ", which is wrong", strong ? "" : ": the attack is weak");
  failures += holds && strong ? 0 : 1;
}

/// Attacks every pair of 60 random encodings under one rule; the worst must reach `least_share` of its bound.
template <class Real, class Rule>
void run_formed_frequency(const std::string& name, double least_share, Rule rule_of) {
  double worst = 0;
  for (int i = 0; i < 60; ++i) {
    const int rotary_dim = 2 * static_cast<int>(uniform(4, 129));
    rope config{.base = std::exp(uniform(4, 17)), .rotary_dim = rotary_dim, .scaling = rule_of()};
    if (config.scaling.template is<dynamic>())  // often just beyond the length where the base grows
      config.seq_len = static_cast<std::int64_t>(changing_length(config.scaling) *
                                                 std::exp(uniform(0, 3) * uniform(0, 1))) +
                       1;
    for (int pair = 0; pair < pair_count(config); ++pair)
      worst = std::max(worst, formed_frequency_share<Real>(config, pair));
  }
  report_share<Real>(name, worst, least_share);
}

/// Binary64 comes less near than binary32, because it holds every base.
template <class Real>
void attack_formed_frequencies() {
  const std::string name = "formed frequency";
  run_formed_frequency<Real>(name, 0.6, [] { return unscaled{}; });
  run_formed_frequency<Real>(name + ", linear", 0.5, [] { return linear{uniform(1, 40)}; });
  run_formed_frequency<Real>(name + ", llama3", 0.4, [] {
    const double low = uniform(0.5, 2);
    return llama3{uniform(1, 40), low, low + uniform(0.5, 4), std::nearbyint(uniform(1024, 65536))};
  });
  run_formed_frequency<Real>(name + ", dynamic", 0.3, [] {
    return dynamic{.factor = std::exp(uniform(0, 5)),
                   .max_position_embeddings = std::nearbyint(uniform(512, 8192))};
  });
  for (const bool truncates : {true, false})
    run_formed_frequency<Real>(name + (truncates ? ", yarn" : ", yarn untruncated"), 0.4, [=] {
      return yarn{.factor = uniform(1, 40),
                  .original_max_position_embeddings = std::nearbyint(uniform(1024, 65536)),
                  .truncate = truncates};
    });
}

/// Theorem 20, on every pair but the first, which is exact, of random encodings.
void attack_repeated_frequencies() {
  double worst = 0;
  for (int i = 0; i < 2000; ++i) {
    const int rotary_dim = 2 * static_cast<int>(uniform(4, 129));
    rope config{.base = std::exp(uniform(4, 17)), .rotary_dim = rotary_dim};
    if (i % 4 == 0) config.scaling = linear{uniform(1, 40)};
    for (int pair = 1; pair < pair_count(config); ++pair)
      worst = std::max(worst, repeated_frequency_share(config, pair, i % 2 == 0));
  }
  report_share<float>("frequency from the pair before", worst, 0.4);
}

/// Theorem 19: YaRN's attention factor, a quotient of two numbers that are formed in binary64.
void attack_formed_factors() {
  double worst = 0;
  for (int i = 0; i < 20000; ++i) {
    const double m = uniform(0.1, 20), m_of_all = uniform(0.1, 20), s = uniform(1.1, 1000);
    const auto part = [&](double value) { return 0.1 * value * std::log(s) + 1; };
    const rope config{
        .rotary_dim = 64,
        .scaling = yarn{
            .factor = s, .original_max_position_embeddings = 4096, .mscale = m, .mscale_all_dim = m_of_all}};
    const enclosure<4> exact = rope_attention_factor<4>(config);
    const enclosure<4> apart = enclosure<4>::of(part(m) / part(m_of_all)) - exact;
    worst = std::max(
        worst, upper_binary64(apart / exact) / (detail::formed_factor_roundings * unit_roundoff<double>));
  }
  report_share<double>("attention factor", worst, 0.25);
}

/// A frequency between two ends as engines form it, in three orders, or on a line.
template <class Real>
Real formed_between(const frequencies& frequencies, int k, int n, int order) {
  const auto end = [](const quotient& q) {
    return static_cast<Real>(q.numerator) / static_cast<Real>(q.denominator);
  };
  const Real first = end(frequencies.first), last = end(frequencies.last);
  const Real unit = frequencies.unit == angle_unit::half_turn ? std::numbers::pi_v<Real> : 1;
  if (frequencies.rule == spacing::linear)
    return (first + (last - first) * (static_cast<Real>(k) / static_cast<Real>(n - 1))) * unit;
  const Real x = static_cast<Real>(k) / static_cast<Real>(n - frequencies.shift);
  if (order == 0) return std::exp(std::log(first) + x * (std::log(last) - std::log(first))) * unit;
  if (order == 1) return first * std::pow(last / first, x) * unit;
  return first / std::pow(first / last, x) * unit;
}

/// Theorem 17, on random ends of random numbers of pairs.
template <class Real>
void attack_frequencies_between() {
  double worst[2] = {0, 0};  // geometric, linear
  for (int i = 0; i < 300; ++i) {
    const int pairs = static_cast<int>(uniform(3, 64));
    const bool is_linear = i % 2 != 0;
    const quotient first{std::exp(uniform(-3, 3)), 1}, last{1, std::exp(uniform(-3, 9))};
    const angle_unit unit = i % 3 == 0 ? angle_unit::half_turn : angle_unit::radian;
    frequencies turn = is_linear ? linear_between(first, last, unit) : geometric_between(first, last, unit);
    if (!is_linear) turn.shift = static_cast<double>(i % 5) / 2;
    placed_rope config{.encoding = {.rotary_dim = 2 * pairs}};
    config.axes.frequencies_of = axis_frequencies::own;
    config.axes.axis[0] = {.pairs = pairs, .turn = turn};
    const auto shared = share<4>(config);
    for (int pair = 0; pair < pairs; ++pair)
      for (int order = 0; order < (is_linear ? 1 : 3); ++order) {
        double& so_far = worst[is_linear ? 1 : 0];
        so_far = std::max(so_far, formed_share(formed_between<Real>(turn, pair, pairs, order),
                                               inv_freq_of_index<4>(pair, config, shared),
                                               formed_frequency_error(config, pair)));
      }
  }
  report_share<Real>("frequency between two ends", worst[0], 0.2);
  report_share<Real>("frequency on a line", worst[1], 0.15);
}

/// Theorem 18: centres of patches in three forms, each operation rounded to a format.
template <floating_format Float>
void attack_formed_coordinates() {
  const auto in = [](double exact) {
    return from_bits<double>(convert<double, Float>(convert<Float, double>(to_bits(exact))));
  };
  double worst = 0;
  for (int i = 0; i < 20000; ++i) {
    const auto n = static_cast<std::int64_t>(uniform(2, 4000));
    const auto index = static_cast<std::int64_t>(uniform(0, static_cast<double>(n)));
    const double at = in(static_cast<double>(index)), size = in(static_cast<double>(n));
    const coordinate centre{{2, n}, {1 - n, 2}};
    const std::int64_t p = position_of_index(index, centre);
    const double middle = in(at + 0.5), step = in(2 / size);
    const double formed[] = {in(in(2 * in(middle / size)) - 1), in(in(step * middle) - 1),
                             in(in(at + in(0.5 - in(size / 2))) * step)};
    const double bound =
        detail::formed_error(formed_in<Float>, formed_coordinate_error(centre, static_cast<double>(p)));
    const enclosure<2> exact = enclosure<2>::of(p) / enclosure<2>::of(n);
    for (const double value : formed) {
      const enclosure<2> apart = enclosure<2>::of(value) - exact;
      worst = std::max(worst, upper_binary64(apart * enclosure<2>::of(n)) / bound);
    }
  }
  report_share<Float>("coordinate of an index", worst, 0.1);
}

}  // namespace
}  // namespace ropewalk

int main() {
  using namespace ropewalk;
  attack_formed_frequencies<float>();
  attack_formed_frequencies<double>();
  attack_repeated_frequencies();
  attack_frequencies_between<float>();
  attack_frequencies_between<double>();
  attack_formed_coordinates<float>();
  attack_formed_coordinates<double>();
  attack_formed_coordinates<bfloat16>();
  attack_rotation<float>();
  attack_rotation<double>();
  attack_rotation<binary16>();
  attack_rotation<bfloat16>();
  attack_own_format<binary16>();
  attack_own_format<bfloat16>();
  attack_fused<float>();
  attack_underflow<float>();
  attack_underflow<double>();
  attack_underflow<binary16>();
  attack_underflow<bfloat16>();
  run_accuracy<double, float, double>({"binary32 table", 0.9, just_above, eighth}, promise::rounded_table,
                                      fusing::canonical);
  run_formed_angle<float, float, float, float>({"angle in binary32", 0.5, just_above, 0.3, 1, 0x1p20},
                                               promise::angle_f32);
  run_formed_angle<float, float, float, float>(
      {"angle in binary32, factor", 0.4, just_above, 1e-3, 1.4143, 4096}, promise::angle_f32);
  run_formed_angle<float, double, float, float>({"angle in binary64", 0.5, just_above, 0.3, 1, 64},
                                                promise::angle_f64);
  run_formed_angle<double, double, float, double>({"angle in binary64, far", 0.4, just_above, 0.9, 1, 0x1p31},
                                                  promise::angle_f64);
  promise given_frequency = promise::hf;
  given_frequency.frequency = ROPEWALK_UNROUNDED;
  run_formed_angle<bfloat16, float, bfloat16, bfloat16>(
      {"angle in binary32, the rest in bfloat16", 0.5, just_above, 0.3, 1, 64}, given_frequency);
  run_formed_angle<binary16, float, binary16, binary16>(
      {"angle in binary32, the rest in binary16", 0.5, just_above, 0.3, 1.4143, 64}, given_frequency);
  const promise bf16_angle{
      .angle = ROPEWALK_PART_BF16, .table = ROPEWALK_PART_BF16, .rotation = ROPEWALK_PART_F32};
  run_formed_angle<float, bfloat16, bfloat16, float>({"angle in bfloat16", 0.4, just_above, 0.02, 1, 64},
                                                     bf16_angle);
  run_formed_angle<bfloat16, bfloat16, bfloat16, float>(
      {"angle in bfloat16, factor", 0.3, just_above, 0.02, 1.4143, 64}, bf16_angle);
  attack_formed_factors();
  return failures == 0 ? 0 : 1;
}
