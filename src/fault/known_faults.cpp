#include "fault/known_faults.hpp"

#include <deque>
#include <iterator>
#include <utility>

#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

void append(std::vector<known_fault>& to, std::vector<known_fault> more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

std::vector<known_fault> faults_that_rotate() {
  // A law stops at the first token written outside the range, so the two faults share one sentence.
  constexpr const char* beyond_range = "the range of tokens is ignored: tokens outside it are written";
  return {
      {angle_f32(), "the angle is formed in binary32, and its error grows with the position"},
      {half_split(), "channels are paired as half-split, where they are interleaved"},
      {interleaved(), "channels are paired as interleaved, where they are half-split"},
      {backward_is_forward(), "the backward flag is not read: backward turns as forward does"},
      {inverse_attention(),
       "backward divides by the attention factor, where the adjoint multiplies: inverse in place of the "
       "adjoint"},
      {tail(), "a tail is left unrotated: pairs beyond a multiple of 8, and heads beyond a multiple of 4"},
      {position_off_by_one(), "every position is taken as the one after it: off by one"},
      {real_positions_off_by_one(),
       "positions in binary64 are taken as the ones after them, where whole ones are right"},
      {attention_dropped(), "the attention factor is dropped"},
      {attention_in_unit(), "the attention factor is applied although the rotation is a unit one"},
      {batch_row(), "batch rows above the first are not turned, and nothing of them is written"},
      {pass_through_zeroed(), "channels that pass through are zeroed"},
      {nan_spreads(), "a NaN or an infinity of one pair spreads to the next"},
      {small_flushed(), "small results are flushed to zero, normal ones among them"},
      {head_group(), "only the first 8 heads are turned"},
      {environment_left(), "the kernel leaves its caller with another rounding mode"},
      {flush_to_zero(), "the kernel does not set its own floating environment: it computes in its caller's"},
      {yarn_ramp_reversed(), "YaRN's ramp is reversed: fast pairs are divided and slow ones kept"},
      {yarn_clamp_at_half(), "the YaRN ramp is clamped to rotary_dim / 2 - 1 in place of rotary_dim - 1"},
      {yarn_untruncated(), "the YaRN ramp runs between real numbers: floor and ceil are dropped"},
      {attention_cos_only(), "the attention factor is applied to the cosine only"},
      {attention_twice(), "the attention factor is applied twice"},
      {llama3_in_prefill_only(), "a call of one token uses the unscaled frequencies"},
      {longrope_switch_at_original(),
       "longrope takes the other list of factors: it switches at another length"},
      {longrope_attention_short_dropped(), "the attention factor is dropped with longrope's short list"},
      {dynamic_constant(),
       "the frequencies are those at max_position_embeddings: the base does not grow with the sequence"},
      {exponent_over_head_dim(), "the exponents are over head_dim in place of rotary_dim"},
      {kept_row(), "the plan's table of positions is one row off"},
      {axis_first(), "the first axis turns every pair: the other rows of positions are dropped"},
      {axis_runs(), "each axis turns a run of pairs, where the axes are interleaved"},
      {axis_interleaved(), "the axes are interleaved over the pairs, where each has a run of them"},
      {axis_exchanged(), "the last two axes are exchanged"},
      {axis_stride(),
       "the row of an axis is found by the number of tokens, whatever the batch and the strides"},
      {position_step(), "positions are read as contiguous, whatever their stride"},
      {shared_row(),
       "stride 0 between batch rows is ignored: a shared row of positions is read as "
       "one row each"},
      {range_begin(), beyond_range},
      {range_end(), beyond_range},
      {key_strides(), "the strides of the query are taken for those of the key"},
      {aligned(), "addresses are rounded down to a multiple of the element's size"},
      {any_range(), "a range of tokens that ends before it begins is accepted"},
      {offset_32(), "token offsets are 32-bit and wrap past 2^31 elements"},
      {grid(), "one call does 65,535 heads, or so many tokens of one head, and leaves the others"},
      {head_192(), "heads of 192 channels are turned as heads of 128: the other 64 stay"},
      {whole_head(), "the whole head is turned: rotary_dim is not read"},
      {first_channels(), "the first channels are turned: rotary_begin is not read"},
  };
}

std::vector<known_fault> faults_that_add() {
  return {
      {alibi_exponent_from_zero(),
       "head 0 is taken for head 1, and so on: a slope's exponent is counted from 0"},
      {alibi_heads_sorted(), "the slopes are sorted, where those beyond a power of two come in between"},
      {alibi_causal(), sentence_of_form(alibi_form::causal)},
      {alibi_symmetric(), sentence_of_form(alibi_form::symmetric)},
      {alibi_key(), sentence_of_form(alibi_form::key)},
      {alibi_last_key(), sentence_of_form(alibi_form::last_key)},
      {sinusoidal_off_by_one(), "every position is taken as the one after it: off by one"},
      {sinusoidal_real_off_by_one(),
       "positions in binary64 are taken as the ones after them, where whole ones are right"},
      {sinusoidal_swapped(), "cosine and sine are exchanged"},
      {sinusoidal_batch_row(), "every batch row is given the positions of the first"},
      {sinusoidal_rest_zeroed(), "the channel that is copied is zeroed"},
      {sinusoidal_nan_spreads(), "a NaN of one channel spreads to the next"},
      {sinusoidal_row_in_dtype(), "the entry is rounded to the data's format before it is added"},
      {sinusoidal_any_range(), "a range of tokens that ends before it begins is accepted"},
  };
}

}  // namespace

const char* kept_name(std::string name) {
  static auto& names = *new std::deque<std::string>;  // never freed: callers keep the names
  return names.emplace_back(std::move(name)).c_str();
}

std::string sentence_of_form(alibi_form form) {
  const std::string by_constant =
      ": under a causal mask it differs by a constant per row of scores, which leaves the softmax as it is; "
      "--form ";
  switch (form) {
    case alibi_form::causal: break;
    case alibi_form::symmetric:
      return "the bias is -slope x |query - key|, the symmetric form; --form symmetric asks for it";
    case alibi_form::key:
      return "the bias is slope x key, the form of BLOOM and of causal flash-attention" + by_constant +
             "bloom asks for it";
    case alibi_form::last_key:
      return "the bias is slope x (key - last key), the form of MPT" + by_constant + "mpt asks for it";
  }
  return "the bias is slope x (key - query), the causal form, in which keys ahead are raised; --form causal "
         "asks for it";
}

std::span<const known_fault> known_rotation_faults() {
  static const auto& faults = *[] {  // never freed: callers keep the kernels
    auto* made = new std::vector<known_fault>(faults_that_rotate());
    append(*made, misread_calls());
    append(*made, changed_rows());
    append(*made, changed_frequencies());
    append(*made, changed_axes());
    append(*made, exchanged_axes());
    append(*made, changed_factors());
    append(*made, changed_arithmetic());
    append(*made, mixed_pairings());
    append(*made, pairings_of_axes());
    append(*made, mapped_positions());
    append(*made, mapped_real_positions());
    return made;
  }();
  return faults;
}

std::span<const known_fault> known_addition_faults() {
  static const auto& faults = *[] {
    auto* made = new std::vector<known_fault>(faults_that_add());
    append(*made, changed_additions());
    append(*made, scaled_biases());
    return made;
  }();
  return faults;
}

std::string sentence_of(std::string_view kernel) {
  for (const known_fault& fault : known_rotation_faults())
    if (fault.kernel.name == kernel) return fault.sentence;
  return {};
}

}  // namespace ropewalk::fault
