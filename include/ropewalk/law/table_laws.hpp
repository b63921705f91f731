#pragma once
// The laws of tables, and of programs that are not kernels, by name: one list for each kind of subject. A law
// that follows from another stands before it, so that the more specific one fails first.

#include <array>

#include "ropewalk/law/table/attention/carried.hpp"
#include "ropewalk/law/table/attention/causal.hpp"
#include "ropewalk/law/table/attention/distance_only.hpp"
#include "ropewalk/law/table/attention/distribution.hpp"
#include "ropewalk/law/table/attention/equivariant.hpp"
#include "ropewalk/law/table/attention/softmax.hpp"
#include "ropewalk/law/table/attention/toeplitz.hpp"
#include "ropewalk/law/table/axes/own_axis.hpp"
#include "ropewalk/law/table/axes/text.hpp"
#include "ropewalk/law/table/biases/diagonal.hpp"
#include "ropewalk/law/table/biases/farther_is_less.hpp"
#include "ropewalk/law/table/biases/mirrored.hpp"
#include "ropewalk/law/table/biases/row.hpp"
#include "ropewalk/law/table/biases/toeplitz.hpp"
#include "ropewalk/law/table/buckets/directions.hpp"
#include "ropewalk/law/table/buckets/edges.hpp"
#include "ropewalk/law/table/buckets/never_decreasing.hpp"
#include "ropewalk/law/table/buckets/own_bucket.hpp"
#include "ropewalk/law/table/buckets/saturating.hpp"
#include "ropewalk/law/table/buckets/within_table.hpp"
#include "ropewalk/law/table/cos_sin/distance_only.hpp"
#include "ropewalk/law/table/cos_sin/norm.hpp"
#include "ropewalk/law/table/cos_sin/origin.hpp"
#include "ropewalk/law/table/cos_sin/rounded_once.hpp"
#include "ropewalk/law/table/frequencies/between.hpp"
#include "ropewalk/law/table/frequencies/continuity.hpp"
#include "ropewalk/law/table/frequencies/divided.hpp"
#include "ropewalk/law/table/frequencies/factor_one.hpp"
#include "ropewalk/law/table/frequencies/growth.hpp"
#include "ropewalk/law/table/frequencies/kept.hpp"
#include "ropewalk/law/table/frequencies/monotone.hpp"
#include "ropewalk/law/table/frequencies/slowest_pair.hpp"
#include "ropewalk/law/table/frequencies/still.hpp"
#include "ropewalk/law/table/frequencies/switch_of_lists.hpp"
#include "ropewalk/law/table/index_codes/bit_period.hpp"
#include "ropewalk/law/table/index_codes/code_range.hpp"
#include "ropewalk/law/table/index_codes/code_rounded_once.hpp"
#include "ropewalk/law/table/index_codes/code_unique.hpp"
#include "ropewalk/law/table/index_codes/same_code.hpp"
#include "ropewalk/law/table/learned/refused.hpp"
#include "ropewalk/law/table/learned/served.hpp"
#include "ropewalk/law/table/query_scales/scale_one.hpp"
#include "ropewalk/law/table/query_scales/scale_rising.hpp"
#include "ropewalk/law/table/query_scales/scale_rounded_once.hpp"
#include "ropewalk/law/table/query_scales/scale_steps.hpp"
#include "ropewalk/law/table/sinusoids/distinct.hpp"
#include "ropewalk/law/table/sinusoids/frequencies.hpp"
#include "ropewalk/law/table/sinusoids/origin.hpp"
#include "ropewalk/law/table/sinusoids/range.hpp"
#include "ropewalk/law/table/sinusoids/rounded_once.hpp"
#include "ropewalk/law/table/sinusoids/same_row.hpp"
#include "ropewalk/law/table/sinusoids/shift.hpp"
#include "ropewalk/law/table/sinusoids/zeros.hpp"
#include "ropewalk/law/table/slopes/falling.hpp"
#include "ropewalk/law/table/slopes/geometric.hpp"
#include "ropewalk/law/table/slopes/interlaced.hpp"
#include "ropewalk/law/table/slopes/whole.hpp"
#include "ropewalk/law/table/transformer_xl/direct.hpp"
#include "ropewalk/law/table/transformer_xl/four_terms.hpp"
#include "ropewalk/law/table/transformer_xl/masked.hpp"
#include "ropewalk/law/table/transformer_xl/memory.hpp"
#include "ropewalk/law/table/transformer_xl/own_distance.hpp"
#include "ropewalk/law/table/transformer_xl/own_query.hpp"
#include "ropewalk/law/table/xpos/norm.hpp"
#include "ropewalk/law/table/xpos/relative.hpp"
#include "ropewalk/law/table/xpos/rounded_once.hpp"

namespace ropewalk {

// Laws of inverse frequencies.
namespace frequency_laws {
inline constexpr std::array all{kept,       divided,         between, monotone,     factor_one,
                                continuity, switch_of_lists, growth,  slowest_pair, still};
}

// Laws of cosines and sines of a rotary embedding.
namespace cos_sin_laws {
inline constexpr std::array all{origin, norm, distance_only, rounded_once};
}

// Laws of sinusoids.
namespace sinusoidal_laws {
inline constexpr std::array all{range, origin, zeros, frequencies, distinct, shift, same_row, rounded_once};
}

// Laws of ALiBi's slopes.
namespace slope_laws {
inline constexpr std::array all{whole, falling, geometric, interlaced};
}

// Laws of ALiBi's biases. Only `row` affects a softmax; the others check that a table has the paper's form.
namespace bias_laws {
inline constexpr std::array all{diagonal, toeplitz, farther_is_less, mirrored, row};
}

// Laws of T5's buckets.
namespace bucket_laws {
inline constexpr std::array all{within_table, own_bucket, never_decreasing, edges, saturating, directions};
}

// Laws of index codes.
namespace index_code_laws {
inline constexpr std::array all{code_range, code_unique, bit_period, same_code, code_rounded_once};
}

// Laws of the scale of queries.
namespace query_scale_laws {
inline constexpr std::array all{scale_rising, scale_steps, scale_one, scale_rounded_once};
}

// Laws of learned rows.
namespace learned_laws {
inline constexpr std::array all{served, refused};
}

// Laws of rotary embeddings on several axes.
namespace axes_laws {
inline constexpr std::array all{text, own_axis};
}

// Laws of xPos.
namespace xpos_laws {
inline constexpr std::array all{norm, relative, rounded_once};
}

// Laws of Transformer-XL's scores.
namespace transformer_xl_laws {
inline constexpr std::array all{masked, memory, four_terms, own_query, own_distance, direct};
}

// Laws of attention.
namespace attention_laws {
inline constexpr std::array all{equivariant, carried, distance_only, toeplitz, distribution, softmax, causal};
}

}  // namespace ropewalk
