// Mistakes of engines in tables of sinusoids: another library's convention, and the mistakes of any table of
// cosines and sines.

#include <utility>

#include "diagnosis/addition_tables.hpp"
#include "diagnosis/suspect_list.hpp"
#include "input/json_text.hpp"
#include "ropewalk/encoding/sinusoidal.hpp"
#include "ropewalk/law/kernel/formed_frequency.hpp"

namespace ropewalk::diagnosis {
namespace {

constexpr int sinusoidal_limbs = rope_rows::limb_count;

/// The layout as a change of cosines, then sines.
entry_change layout_of(sinusoidal_layout layout) {
  return {.is_exchanged = layout != sinusoidal_layout::cos_sin,
          .has_other_arrangement = layout == sinusoidal_layout::interleaved};
}

rotary_suspect suspect_of_sinusoids(const sinusoidal& config) {
  rotary_suspect suspect;
  const auto shared = share<sinusoidal_limbs>(config);
  for (int pair = 0; pair < pair_count(config); ++pair) {
    suspect.inv_freqs.push_back(sinusoidal_inv_freq<sinusoidal_limbs>(pair, config, shared));
    suspect.frequency_errors.push_back(formed_frequency_error(config, pair));
  }
  suspect.scale = config.scale;
  suspect.entries = layout_of(config.layout);
  suspect.row_offset = row_offset(config);
  if (config.padding_idx) suspect.zero_at = -1;
  return suspect;
}

void add_layouts(suspect_list& to) {
  const auto with = [&](const entry_change& entries) {
    rotary_suspect suspect = to.right();
    suspect.entries = entries;
    return suspect;
  };
  to.add("layout-interleaved", "sines and cosines alternate: the layout is interleaved",
         with(layout_of(sinusoidal_layout::interleaved)));
  to.add("layout-sin-cos", "the sines of all pairs come first: the layout is sin-cos",
         with(layout_of(sinusoidal_layout::sin_cos)));
  to.add("layout-cos-sin", "the cosines of all pairs come first: the layout is cos-sin",
         with(layout_of(sinusoidal_layout::cos_sin)));
  to.add("layout-cosine-before-sine", "cosines and sines alternate, the cosine first",
         with({.has_other_arrangement = true}));
  entry_change negated = to.right().entries;
  negated.negates_sine = true;
  to.add("sine-negated", "every sine has the other sign", with(negated));
}

void add_shifts(suspect_list& to, const sinusoidal& config) {
  for (const double shift : {0, 1}) {
    if (config.shift == shift || (shift == 1 && pair_count(config) == 1)) continue;
    sinusoidal other = config;
    other.shift = shift;
    to.add(shift == 0 ? "shift-0" : "shift-1",
           shift == 0
               ? "the exponent is pair / floor(d_model / 2), as in the paper: the shift is 0"
               : "the exponent is pair / (floor(d_model / 2) - 1), as in tensor2tensor: the shift is 1",
           suspect_of_sinusoids(other));
  }
}

void add_bases(suspect_list& to, const sinusoidal& config) {
  for (const int base : {100, 1000, 10000, 100000, 1000000}) {
    sinusoidal other = config;
    other.base = base;
    const std::string text = std::to_string(base);
    to.add("base-" + text, "the base, max_period, is " + text + ", whatever the encoding's is",
           suspect_of_sinusoids(other));
  }
}

void add_scales(suspect_list& to, const sinusoidal& config) {
  for (const int scale : {1, 1000}) {
    sinusoidal other = config;
    other.scale = scale;
    to.add(scale == 1 ? "scale-dropped" : "scale-1000",
           scale == 1 ? "positions are not multiplied by the scale" : "positions are multiplied by 1000",
           suspect_of_sinusoids(other));
  }
}

}  // namespace

given_array sinusoidal_array(given_array array, const sinusoidal& config) {
  array.layout = {tables::table_kind::cos_sin, tables::cos_sin_layout::vllm};
  array.pairs = pair_count(config);
  return array;
}

table_suspects sinusoidal_suspects(const sinusoidal& config) {
  const rope divided{.base = config.base, .rotary_dim = config.d_model};
  suspect_list list(suspect_of_sinusoids(config), divided);
  add_shifts(list, config);
  add_bases(list, config);
  add_scales(list, config);
  rotary_suspect row = list.right();
  row.row_offset = 0, row.zero_at = std::nullopt;
  list.add("padding-dropped", "position 0 has row 0: padding_idx is not read", row);
  row.row_offset = 2;
  list.add("padding-1", "position 0 has row 2, as where padding_idx is 1", row);
  add_layouts(list);
  list.add_formats();
  list.add_pairs();
  list.add_positions(0);
  return {table_of(list.right(), divided), as_known(list.take())};
}

}  // namespace ropewalk::diagnosis
