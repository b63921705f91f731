#pragma once
// Facts that a GGUF file does not store: the pairing, which layers rotate, and the defaults of each
// architecture in llama.cpp's code.

#include <string>
#include <string_view>

#include "model/model_type.hpp"

namespace ropewalk::model {

/// How attention.sliding_window_pattern is read.
enum class pattern_reader {
  period,  // as a number; a list is ignored
  list,    // as a list with one flag per layer, which is required
  both     // as a number or a list
};

/// Behaviour of an architecture's code in llama.cpp, where the file does not decide.
struct architecture {
  std::string_view names;  // values of general.architecture, separated by spaces
  pairing layout = pairing::half_split;
  given<axis_order> axes{};        // order of rope.dimension_sections
  bool is_latent = false;          // rope.dimension_count is the part of a latent head that rotates
  bool rotates_last = false;       // the last channels of a head rotate; else the first
  bool turns_whole_heads = false;  // ignores rope.dimension_count
  // Layers that slide
  int period = 0;            // period of full attention; 0: no layer slides, or the file says which
  bool begins_full = false;  // layer i has full attention where i mod period = 0; else where (i + 1) is
  pattern_reader pattern = pattern_reader::period;
  bool needs_window = false;  // layers slide only where attention.sliding_window is above 0
  int sliding_depth = 0;      // layers slide only in models of this many layers; 0: in all
  double sliding_base = 0;    // base of sliding layers without rope.freq_base_swa; 0: same as the others
  bool ignores_sliding_base = false;  // rope.freq_base_swa is read but not used
  bool slides_unscaled = false;       // the scaling rule applies to full attention only
  bool has_sliding_width = false;     // sliding layers have widths of their own
  bool halves_full_width = false;     // layers with full attention turn half of rope.dimension_count
  // Layers that do not rotate
  bool full_stands_still = false;         // full-attention layers do not rotate if others slide
  bool dense_rotates = false;             // except the first attention.leading_dense_block_count
  int still_every = 0;                    // period of layers that do not rotate; 0: all rotate
  bool begins_still = false;              // the first layer of each period; else the last
  bool stands_without_finetuned = false;  // no layer rotates if rope.scaling.finetuned is false
  int rotating_depth = 0;                 // layers rotate only in models of this depth; 0: at any depth
  int recurrent_interval = 0;  // period of attention; other layers have none. full_attention_interval wins
  // Scaling
  bool reads_betas = false;  // yarn_beta_fast and yarn_beta_slow
  double missing_beta_fast = 32;
  double multiplier_unit = 0;       // yarn_log_multiplier per mscale_all_dim; 0: the key is not read
  bool cancels_mscale = false;      // with that key, the attention factor is 1
  bool has_yarn_of_one = false;     // without it, too
  bool has_alpha = false;           // reads rope.scaling.alpha
  bool lists_need_no_type = false;  // rope_factors_long, _short count with any rope.scaling.type
  bool ignores_divisors = false;    // tensors of divisors in the file are not used
  // The scale of queries by their position
  bool has_temperature = false;         // attention.temperature_scale over the original length
  bool has_temperature_length = false;  // ... over attention.temperature_length
  bool has_fixed_temperature = false;   // 0.1 over 8192 positions, without a key
  std::string_view remark = "";
};

/// The row of an architecture, with or without sections of axes. A name that is not in the table gets a row
/// with half-split pairs.
///
/// source  llama_model_rope_type, load_arch_hparams and the graphs of llama.cpp, version b10256
const architecture& architecture_named(std::string_view name, bool has_sections);

/// The type name of a row: "glm4+sections" if the architecture has a separate row for sections.
std::string type_name_of(std::string_view name, bool has_sections);

/// Prefix of the model types of GGUF files: "gguf:llama".
inline constexpr std::string_view gguf_type_prefix = "gguf:";

/// The keys of an architecture's configuration, as gguf_translation.hpp writes it; null if the name is not in
/// the table.
const model_type* find_gguf_type(std::string_view name);

/// The keys of any other architecture, whose pairing the user gave.
const model_type& unlisted_gguf_type();

}  // namespace ropewalk::model
