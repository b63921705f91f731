#pragma once
// All figures, by name.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "measure/bench_record.hpp"
#include "model/model.hpp"
#include "plot/figure.hpp"
#include "verify/kernel_choice.hpp"

namespace ropewalk::plot {

/// The data of a figure.
struct subject {
  /// The encoding. Figures of other encodings use its widths and lengths where they can.
  ropewalk::model::model model;
  std::string which_options;                        // its options in commands: " --model llama-3.1-8b"
  std::string kernel_options;                       // options of kernels and measurements: " --kernel X"
  std::int64_t trained = 0;                         // positions in training, before the rule is applied
  std::int64_t target = 0;                          // positions to serve
  std::vector<verify::chosen_kernel> kernels{};     // compared kernels: recipes and the user's
  const measure::bench_record* measured = nullptr;  // set for figures that need one
  std::vector<ropewalk_dtype> dtypes{};             // dtypes of the drawn errors; empty: binary32
  bool is_quick = false;                            // fewer points
  std::function<void(double)> progress{};           // called with the completed share; may be empty
};

/// A figure that can be drawn.
struct description {
  std::string_view name;
  std::string_view text;   // one line for lists
  bool needs_measurement;  // of `ropewalk bench`
  figure (*make)(const subject&);
  bool has_dtypes = needs_measurement;  // uses subject::dtypes
};

/// All figures, in the order of a report.
std::span<const description> figures();

/// throws  bad_input naming `plot` and the available names
const description& figure_named(std::string_view name);

// One function per figure, in the source file of that name.
figure frontier(const subject& subject);           // precision against speed, one point per kernel
figure error_by_position(const subject& subject);  // log-log, one line per recipe, bounds as bands
figure time_by_tokens(const subject& subject);
figure roofline(const subject& subject);
figure extrapolation(const subject& subject);  // seen and unseen phases per pair, for each scaling rule
figure wavelengths(const subject& subject);    // of the model's pairs, with the rules' on top
figure long_term_decay(const subject& subject);
figure sinusoids(const subject& subject);      // heat map of 1024 positions x 768 channels
figure oscillations(const subject& subject);   // i = 1, 50, 150
figure binary_codes(const subject& subject);   // with sinusoids for comparison
figure rotation(const subject& subject);       // of a pair
figure biases(const subject& subject);         // ALiBi's and T5's, as matrices
figure image_engines(const subject& subject);  // errors of engines' tables, one row per family
figure table_bits(const subject& subject);     // 16-bit tables against exact ones

}  // namespace ropewalk::plot
