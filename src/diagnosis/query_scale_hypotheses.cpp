// Mistakes of engines in the query scale by position.

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <tuple>
#include <utility>

#include "diagnosis/addition_tables.hpp"
#include "diagnosis/listed_numbers.hpp"
#include "input/json_text.hpp"
#include "ropewalk/law/judge/bound.hpp"
#include "ropewalk/table/query_scale_table.hpp"

namespace ropewalk::diagnosis {
namespace {

using fault::own_number;

/// Relative error of 1 + strength ln n in binary32, if the logarithm is within two ulps: at most 4 u for the
/// logarithm and one u for the product, both of a part below the sum, and one for the sum; 7 u with their
/// products.
double formed_scale_error() { return ropewalk::detail::product_up(7, unit_roundoff<float>); }

/// Relative error of numbers formed from a scale by one more step: squared, inverted, with the quotient of
/// two logarithms, or with a quotient that is not rounded down. Twice formed_scale_error and one rounding,
/// for strengths up to 1; for larger strengths, some mistakes may not be found.
double derived_scale_error() { return ropewalk::detail::product_up(15, unit_roundoff<float>); }

class query_scale_hypotheses {
 public:
  query_scale_hypotheses(const query_scale& config, const input::position_list& positions)
      : config_(config), positions_(positions) {}

  table_suspects all() {
    for (const int shift : {0, 1})
      if (shift != config_.shift) {
        query_scale other = config_;
        other.shift = shift;
        add_config("scale-shift-" + std::to_string(shift),
                   shift == 0 ? "the step is that of the position itself, without the 1 that is added to it"
                              : "1 is added to the position before the step is taken",
                   other);
      }
    add("scale-without-floor", "the quotient of position and length is not rounded down",
        [config = config_](auto p) {
          const own_number quotient = own_number::of(p + config.shift) / own_number::of(config.length);
          return scaled(config, log(own_number::of(1) + quotient));
        });
    add("scale-step-rounded-up", "the quotient of position and length is rounded up",
        [config = config_](auto p) {
          return scaled(config,
                        log(own_number::of(1 + (p + config.shift + config.length - 1) / config.length)));
        });
    add("scale-of-one-step-less", "the logarithm is that of the step, without the 1 that is added to it",
        [config = config_](auto p) {
          return scaled(config, log(own_number::of(std::max<std::int64_t>(1, scale_step(p, config)))));
        });
    for (const int base : {2, 10})
      add("scale-log" + std::to_string(base), "the logarithm is of base " + std::to_string(base),
          [config = config_, base](auto p) {
            return scaled(config, log(step_after(p, config)) / log(own_number::of(base)));
          });
    add("scale-without-one", "1 is not added: the scale is strength x ln(1 + step) alone",
        [config = config_](auto p) { return own_number::of(config.strength) * log(step_after(p, config)); });
    add("scale-step-to-nearest", "the quotient of position and length is rounded to the nearest whole number",
        [config = config_](auto p) {
          return scaled(config, log(own_number::of(1 + (2 * (p + config.shift) + config.length) /
                                                           (2 * config.length))));
        });
    for (const auto& [name, model, other] :
         {std::tuple("scale-of-llama-4", "Llama 4", query_scale{0.1, 8192, 1}),
          std::tuple("scale-of-ministral-3", "Ministral 3", query_scale{0.1, 16384, 0})})
      if (!(other == config_)) add_config(name, std::string("the scale is that of ") + model, other);
    add("scale-missing", "no query is scaled", [](auto) { return own_number::of(1); });
    add("scale-inverted", "the query is divided by the scale",
        [config = config_](auto p) { return own_number::of(1) / right_scale(p, config); });
    add("scale-squared", "the scale is applied twice", [config = config_](auto p) {
      const own_number once = right_scale(p, config);
      return once * once;
    });
    add_rounded<bfloat16>("scale-in-bfloat16",
                          "the scale is rounded to bfloat16 before the query is multiplied");
    add_rounded<binary16>("scale-in-binary16",
                          "the scale is rounded to binary16 before the query is multiplied");
    return {table([config = config_](auto p) { return right_scale(p, config); }, formed_scale_error()),
            as_known(std::move(made_)),
            [config = config_, at = positions_](array_reader& array, const promise&, const auto&) {
              return fitted(config, at, array);
            }};
  }

 private:
  using scale_of = std::function<own_number(std::int64_t position)>;

  static own_number step_after(std::int64_t position, const query_scale& config) {
    return own_number::of(1 + scale_step(position, config));
  }
  static own_number scaled(const query_scale& config, const own_number& logarithm) {
    return own_number::of(1) + own_number::of(config.strength) * logarithm;
  }

  static own_number right_scale(std::int64_t position, const query_scale& config) {
    return scaled(config, log(step_after(position, config)));
  }

  std::shared_ptr<const suspected_table> table(scale_of each, double error) const {
    return table_of_numbers(
        positions_.size(),
        [at = positions_, each = std::move(each)](std::int64_t place) { return each(at.at(place)); }, error);
  }

  void add(std::string name, std::string sentence, scale_of each) {
    made_.push_back({std::move(name), std::move(sentence), table(std::move(each), derived_scale_error())});
  }

  void add_config(std::string name, std::string sentence, const query_scale& other) {
    add(std::move(name), std::move(sentence), [other](auto p) { return right_scale(p, other); });
  }

  /// Scales rounded to a format: the array has them exactly, whatever its own format.
  template <floating_format Float>
  void add_rounded(std::string name, std::string sentence) {
    made_.push_back({std::move(name), std::move(sentence),
                     table(
                         [config = config_](auto p) {
                           const auto bits = round_query_scale<Float>(p, config);
                           return own_number::of(from_bits<double>(convert<double, Float>(bits)));
                         },
                         0)});
  }

  /// Another strength or length, read from the array's last entry.
  static std::vector<table_hypothesis> fitted(const query_scale& config, const input::position_list& at,
                                              array_reader& array) {
    std::vector<table_hypothesis> fitted;
    std::int64_t last = 0;  // place of the largest position
    for (std::int64_t place = 1; at.is_listed && place < array.places(); ++place)
      if (at.at(place) > at.at(last)) last = place;
    if (!at.is_listed) last = array.places() - 1;
    const double observed = array.at(last).front();
    const std::int64_t step = scale_step(at.at(last), config);
    if (!std::isfinite(observed) || !(observed > 1)) return fitted;
    const auto try_other = [&](const std::string& name, const std::string& sentence,
                               const query_scale& other) {
      query_scale_hypotheses hypotheses(other, at);
      fitted.push_back(
          {name, sentence,
           hypotheses.table([other](auto p) { return right_scale(p, other); }, fitted_error(array))});
    };
    if (step > 0) {
      query_scale other = config;
      other.strength = (observed - 1) / std::log1p(static_cast<double>(step));
      try_other("scale-strength", "the strength is about " + input::shown(to_four_digits(other.strength)),
                other);
    }
    // The length is the position of the first scale above 1.
    std::int64_t below = 0, above = at.is_listed ? 0 : last;
    while (above - below > 1) {
      const std::int64_t middle = below + (above - below) / 2;
      (array.at(middle).front() > 1 ? above : below) = middle;
    }
    query_scale other = config;
    other.length = at.at(above) + config.shift;
    if (above > 0 && other.length != config.length)
      try_other("scale-length", "the length of a step is " + std::to_string(other.length), other);
    return fitted;
  }

  /// Relative error of scales with a strength read from the entry of the largest position: that entry's
  /// forming and storing, which is largest relative to the scale, plus the forming of the scale. The binary64
  /// arithmetic of the reading is far below both.
  static double fitted_error(array_reader& array) {
    const double stored = tables::visit_element(array.array().dtype, []<class Element>() {
      if constexpr (floating_format<Element>)
        return unit_roundoff<Element>;
      else
        return 0.0;
    });
    using ropewalk::detail::product_up, ropewalk::detail::sum_up;
    return sum_up(product_up(2, formed_scale_error()), stored);
  }

  static double to_four_digits(double number) {
    char text[32] = {};
    std::snprintf(text, sizeof text, "%.4g", number);
    return std::strtod(text, nullptr);
  }

  query_scale config_;
  input::position_list positions_;
  std::vector<table_hypothesis> made_;
};

}  // namespace

table_suspects query_scale_suspects(const query_scale& config, const input::position_list& positions) {
  return query_scale_hypotheses(config, positions).all();
}

}  // namespace ropewalk::diagnosis
