#pragma once
// The figures that can be drawn, by name.

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

/// What a figure is made of.
struct subject {
  /// The encoding; figures of other encodings take its widths and lengths, where they can.
  ropewalk::model::model model;
  std::string which_options;   // the options that choose it, for commands: " --model llama-3.1-8b"
  std::string kernel_options;  // those that choose kernels and what was measured of them: " --kernel X"
  std::int64_t trained = 0;    // positions that the model was trained on, before its rule was applied
  std::int64_t target = 0;     // positions that it is asked for
  std::vector<verify::chosen_kernel> kernels{};     // compared ones: recipes and the user's
  const measure::bench_record* measured = nullptr;  // set for figures that need one
  std::vector<ropewalk_dtype> dtypes{};             // whose errors are drawn; none: binary32
  bool is_quick = false;                            // fewer points
  std::function<void(double)> progress{};           // called with the share that is done; may be empty
};

/// A figure that can be drawn.
struct description {
  std::string_view name;
  std::string_view text;   // one line for lists
  bool needs_measurement;  // of `ropewalk bench`
  figure (*make)(const subject&);
  bool has_dtypes = needs_measurement;  // subject::dtypes says which
};

/// All figures, in the order of a report.
std::span<const description> figures();

/// throws  bad_input naming `plot` and the names that there are
const description& figure_named(std::string_view name);

// One function a figure, in the file of its name here.
figure frontier(const subject& subject);           // precision against speed, a point a kernel
figure error_by_position(const subject& subject);  // log-log, one line per recipe, bounds as bands
figure time_by_tokens(const subject& subject);
figure roofline(const subject& subject);
figure extrapolation(const subject& subject);  // phases seen and unseen, pair by pair, for each scaling rule
figure wavelengths(const subject& subject);    // of the model's pairs, with the rules over them
figure long_term_decay(const subject& subject);
figure sinusoids(const subject& subject);      // heat map of 1024 positions x 768 channels
figure oscillations(const subject& subject);   // i = 1, 50, 150
figure binary_codes(const subject& subject);   // beside sinusoids
figure rotation(const subject& subject);       // of a pair
figure biases(const subject& subject);         // ALiBi's and T5's, as matrices
figure image_engines(const subject& subject);  // errors of engines' tables, a row a family
figure table_bits(const subject& subject);     // of a 16-bit table against exact

}  // namespace ropewalk::plot
