#pragma once
// What a GGUF file does not store: the pairing, which layers rotate, and the defaults that llama.cpp's code
// has for each architecture.

#include <string>
#include <string_view>

#include "model/model_type.hpp"

namespace ropewalk::model {

/// What reads attention.sliding_window_pattern.
enum class pattern_reader {
  period,  // a number; a list is not looked at
  list,    // a list with a flag for each layer, which the file must have
  both     // either
};

/// An architecture's own code, where the file does not say.
struct architecture {
  std::string_view names;  // of general.architecture, separated by spaces
  pairing layout = pairing::half_split;
  given<axis_order> axes{};        // of rope.dimension_sections
  bool is_latent = false;          // rope.dimension_count is the part of a latent head that rotates
  bool rotates_last = false;       // the last channels of a head; else the first
  bool turns_whole_heads = false;  // whatever rope.dimension_count says
  // Layers that slide
  int period = 0;  // of layers with full attention among them; 0: none slide, or the file says which
  bool begins_full = false;  // layer i has full attention where i mod period = 0; else where (i + 1) is
  pattern_reader pattern = pattern_reader::period;
  bool needs_window = false;          // layers slide only where attention.sliding_window is above 0
  int sliding_depth = 0;              // layers slide only in models of this many layers; 0: in all
  double sliding_base = 0;            // of sliding layers without rope.freq_base_swa; 0: that of the others
  bool ignores_sliding_base = false;  // rope.freq_base_swa is read, and not used
  bool slides_unscaled = false;       // the scaling rule is of layers with full attention alone
  bool has_sliding_width = false;     // sliding layers have widths of their own
  bool halves_full_width = false;     // layers with full attention turn half of rope.dimension_count
  // Layers that do not rotate
  bool full_stands_still = false;         // those with full attention, where others slide
  bool dense_rotates = false;             // but not the first attention.leading_dense_block_count of them
  int still_every = 0;                    // every such layer; 0: none
  bool begins_still = false;              // of each such run, the first; else the last
  bool stands_without_finetuned = false;  // all, where rope.scaling.finetuned is false
  int rotating_depth = 0;                 // all, but in models of this many layers; 0: in none
  int recurrent_interval = 0;  // layers without attention, but every such one; full_attention_interval wins
  // Scaling
  bool reads_betas = false;  // yarn_beta_fast and yarn_beta_slow
  double missing_beta_fast = 32;
  double multiplier_unit = 0;       // of yarn_log_multiplier, in mscale_all_dim; 0: the key is not read
  bool cancels_mscale = false;      // the attention factor is 1 with that key
  bool has_yarn_of_one = false;     // and without it
  bool has_alpha = false;           // rope.scaling.alpha
  bool lists_need_no_type = false;  // rope_factors_long and _short count whatever rope.scaling.type says
  bool ignores_divisors = false;    // tensors with divisors may stand in the file, and are not used
  // The scale of queries by their position
  bool has_temperature = false;         // attention.temperature_scale, over the original length
  bool has_temperature_length = false;  // over attention.temperature_length
  bool has_fixed_temperature = false;   // 0.1 over 8192 positions, without a key
  std::string_view remark = "";
};

/// The row of an architecture, with or without sections of axes; one with half-split pairs for a name that is
/// not in the table.
///
/// source  llama_model_rope_type, load_arch_hparams and the graphs of llama.cpp, version b10256
const architecture& architecture_named(std::string_view name, bool has_sections);

/// The name that a row has: "glm4+sections" where an architecture has another one for sections.
std::string type_name_of(std::string_view name, bool has_sections);

/// The prefix of the model types of GGUF files: "gguf:llama".
inline constexpr std::string_view gguf_type_prefix = "gguf:";

/// The keys of an architecture's configuration, as gguf_translation.hpp writes it; null for a name that is
/// not in the table.
const model_type* find_gguf_type(std::string_view name);

/// The keys of any other architecture, whose pairing the user gave.
const model_type& unlisted_gguf_type();

}  // namespace ropewalk::model
