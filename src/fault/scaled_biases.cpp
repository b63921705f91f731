// ALiBi's biases as Falcon's code adds them, as a whole and in part.

#include "fault/scaled_biases.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <string>
#include <utility>

#include "fault/faults.hpp"
#include "fault/known_faults.hpp"

namespace ropewalk::fault {

std::string name_of_scaled(const scaled_bias_steps& steps) {
  constexpr const char* roundings[] = {"", "-slopes-bf16", "-bf16"};
  std::string name =
      std::string("alibi") + (steps.by_key ? "-key" : "") + roundings[static_cast<int>(steps.rounding)];
  if (steps.head_dim > 0) name += "-over-root-" + std::to_string(steps.head_dim);
  return name;
}

std::string sentence_of_scaled(const scaled_bias_steps& steps) {
  std::string sentence;
  const auto add = [&](const std::string& words) { sentence += (sentence.empty() ? "" : "; ") + words; };
  if (steps.by_key) add("the bias is slope x key, BLOOM's form");
  if (steps.rounding == bias_rounding::slope) add("the slopes are rounded to bfloat16");
  if (steps.rounding == bias_rounding::slope_and_product)
    add("slopes, and slopes times distances, are rounded to bfloat16");
  if (steps.head_dim > 0)
    add(fmt::format(
        "every slope is divided by {:.6g}, the square root of head_dim {}, as where the bias is added "
        "before the scores are divided by that",
        std::sqrt(steps.head_dim), steps.head_dim));
  if (steps.rounding == bias_rounding::slope_and_product && steps.head_dim > 0)
    sentence += "; all as Falcon has it in transformers";
  return sentence;
}

ropewalk_kernel alibi_falcon() {
  constexpr scaled_bias_steps steps{{}, true, bias_rounding::slope_and_product, 64, true};
  ropewalk_kernel falcon = bias_kernel_with_steps<steps>("fault-alibi-falcon");
  falcon.limits = &every_bias_form;
  return falcon;
}

std::vector<known_fault> scaled_biases() {
  std::vector<known_fault> biases;
  const auto add = [&]<scaled_bias_steps steps>() {
    biases.push_back({bias_kernel_with_steps<steps>(kept_name("fault-" + name_of_scaled(steps))),
                      sentence_of_scaled(steps)});
  };
  using enum bias_rounding;
  const auto add_dims = [&]<bool by_key, bias_rounding rounding, std::size_t... at>(
      std::index_sequence<at...>) {
    (add.template operator()<scaled_bias_steps{{}, by_key, rounding, dividing_head_dims[at]}>(), ...);
  };
  const auto add_roundings = [&]<bool by_key>() {
    constexpr auto dims = std::make_index_sequence<std::size(dividing_head_dims)>{};
    add_dims.template operator()<by_key, none>(dims);
    add_dims.template operator()<by_key, slope>(dims);
    add_dims.template operator()<by_key, slope_and_product>(dims);
  };
  add_roundings.template operator()<false>();
  add_roundings.template operator()<true>();
  add.template operator()<scaled_bias_steps{{}, false, slope_and_product, 0}>();
  add.template operator()<scaled_bias_steps{{}, true, slope, 0}>();
  add.template operator()<scaled_bias_steps{{}, true, slope_and_product, 0}>();
  return biases;
}

}  // namespace ropewalk::fault
