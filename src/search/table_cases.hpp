#pragma once
// Cases for the laws of tables: a configuration of an encoding, and the part of its table that the laws
// check. Widths are small; parameters have every magnitude. A failing case is shrunk until no simpler case
// fails.

#include <memory>
#include <string>

#include <rapidcheck/Gen.h>

#include "ropewalk/config/alibi.hpp"
#include "ropewalk/law/table/attention_laws.hpp"
#include "ropewalk/law/table/axes_laws.hpp"
#include "ropewalk/law/table/bucket_laws.hpp"
#include "ropewalk/law/table/entries.hpp"
#include "ropewalk/law/table/index_code_laws.hpp"
#include "ropewalk/law/table/learned_laws.hpp"
#include "ropewalk/law/table/query_scale_laws.hpp"
#include "ropewalk/law/table/sinusoidal_laws.hpp"
#include "ropewalk/law/table/transformer_xl_laws.hpp"
#include "ropewalk/law/table/xpos_laws.hpp"

namespace ropewalk::search {

/// A configuration, and a case for its laws.
template <class Config, class Case>
struct table_case {
  Config config{};
  Case input{};
  std::shared_ptr<const void> kept{};  // owns the data that the configuration points to
};

/// A rotary embedding on several axes.
struct rope_on_axes {
  rope_axes axes;
  rope encoding;
};

/// Kinds of assignments of pairs to axes from which cases are drawn: of one axis rule, or any that validate
/// allows.
enum class axes_kind { mrope, mrope_interleaved, pixtral, qwen_vision, any };

/// Configuration of an attention case: the base of the encoding's frequencies.
struct attention_base {
  double base = 10000;
};

/// Configuration of programs that have none.
struct no_configuration {};

using frequency_case = table_case<rope, whole_table>;
using cos_sin_case = table_case<rope, listed_positions>;
using axes_case = table_case<rope_on_axes, listed_positions>;
using xpos_case = table_case<xpos, listed_positions>;
using sinusoidal_case = table_case<sinusoidal, position_range>;
using slope_case = table_case<alibi, whole_table>;
using bias_case = table_case<alibi, table_length>;
using bucket_case = table_case<t5_bias, whole_table>;
using index_code_case = table_case<index_code, position_range>;
using query_scale_case = table_case<query_scale, position_range>;
using learned_case = table_case<learned, whole_table>;
using transformer_xl_case = table_case<no_configuration, segment_lengths>;
using attention_case = table_case<attention_base, attention_example>;

/// Cases of one scaling rule. Its parameters are drawn; those of `rule` are ignored.
rc::Gen<frequency_case> frequency_cases(const rope_scaling& rule);
rc::Gen<cos_sin_case> cos_sin_cases(const rope_scaling& rule);

/// Cases of one axis rule. M-RoPE's also occur under every scaling rule.
rc::Gen<axes_case> axes_cases(axes_kind kind);

/// Cases of xPos. Exponents are small, so that every entry stays within binary16.
rc::Gen<xpos_case> xpos_cases();

/// Cases of one convention; width, base and padding_idx are drawn.
rc::Gen<sinusoidal_case> sinusoidal_cases(const sinusoidal& convention);

rc::Gen<slope_case> slope_cases(alibi_form form);
rc::Gen<bias_case> bias_cases(alibi_form form);
rc::Gen<bucket_case> bucket_cases(bool bidirectional);
rc::Gen<index_code_case> index_code_cases(index_code_kind kind);
rc::Gen<query_scale_case> query_scale_cases();
rc::Gen<learned_case> learned_cases();
rc::Gen<transformer_xl_case> transformer_xl_cases();
rc::Gen<attention_case> attention_cases();

/// Configuration and case on one line.
std::string text_of(const frequency_case& test_case);
std::string text_of(const cos_sin_case& test_case);
std::string text_of(const axes_case& test_case);
std::string text_of(const xpos_case& test_case);
std::string text_of(const sinusoidal_case& test_case);
std::string text_of(const slope_case& test_case);
std::string text_of(const bias_case& test_case);
std::string text_of(const bucket_case& test_case);
std::string text_of(const index_code_case& test_case);
std::string text_of(const query_scale_case& test_case);
std::string text_of(const learned_case& test_case);
std::string text_of(const transformer_xl_case& test_case);
std::string text_of(const attention_case& test_case);

}  // namespace ropewalk::search
