#include "gpu/turn_rows.hpp"

#include <algorithm>
#include <iterator>

#include "gpu/eighth_turn.hpp"
#include "gpu/shader_list.hpp"
#include "ropewalk/kernel/error.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk::vulkan {
namespace {

using number = ropewalk::detail::resolved_number;

constexpr factor_words factor_one{.significand = {}, .exponent = 0, .rounded = 0x3f800000};

/// Below this rate, 128-bit turns are too coarse to round the sine of a small position correctly.
constexpr int slowest_turn_exponent = -48;

bool is_one(const number& factor) { return is_exact(factor) && factor.midpoint == number::of(1).midpoint; }

factor_words words_of_factor(const number& factor) {
  if (is_one(factor)) return factor_one;
  const int exponent = top_exponent(factor.midpoint);
  const auto significand = round_fraction<4>(times_power_of_two(factor, -exponent));
  const auto rounded = round<float>(factor);
  if (!significand.decided || !rounded.decided || exponent < -100 || exponent > 100)
    decline_field({"", "attention_factor"},
                  "must be 1, or lie between 2^-100 and 2^100 and be known to 128 bits (set attention_real)");
  factor_words packed{.significand = {}, .exponent = exponent, .rounded = rounded.bits};
  std::copy(significand.bits.begin(), significand.bits.end(), packed.significand);
  return packed;
}

/// Turns per position in 128 bits: the encoding's 256 bits rounded, if it has them.
std::vector<std::uint32_t> turn_words(const ropewalk_rotation& encoding, int pair, bool is_still) {
  if (is_still) return {0, 0, 0, 0};
  if (encoding.turns_256 == nullptr) return {encoding.turns + 4 * pair, encoding.turns + 4 * pair + 4};
  const std::uint32_t* const wide = encoding.turns_256 + 8 * pair;
  std::vector<std::uint32_t> packed(wide + 4, wide + 8);
  if (wide[3] >> 31 != 0)
    for (std::uint32_t& word : packed)
      if (++word != 0) break;  // a carry out of the last word is a whole turn, which is 0
  return packed;
}

real_turns words_of_turns(const ropewalk_real& turns) {
  constexpr int bits = 32 * std::size(real_turns{}.significand);
  const auto low = std::begin(turns.significand);
  real_turns packed{.significand = {},
                    .exponent = turns.exponent + bits,
                    .is_exact = std::all_of(low, low + 4, [](std::uint32_t word) { return word == 0; })};
  std::copy_n(low, std::size(packed.significand), packed.significand);
  return packed;
}

template <class Element>
void fill(const input_buffer& to, std::span<const Element> from) {
  std::copy(from.begin(), from.end(), to.as<Element>());
}

std::size_t bytes_of(std::size_t count) { return count * sizeof(std::uint32_t); }

}  // namespace

row_arrangement arrangement_of(const row_plan& plan) {
  const channel_pair first = plan.channels_of_pair(0);  // sine, cosine
  return {.row_words = (static_cast<std::uint32_t>(plan.channels()) + 3) / 4 * 4,
          .cosine_first = static_cast<std::uint32_t>(first.second),
          .sine_first = static_cast<std::uint32_t>(first.first),
          .pair_step = plan.pairs.layout.head.pairing_out == pairing::interleaved ? 2u : 1u,
          .row_offset = static_cast<std::uint32_t>(plan.row_offset)};
}

turn_source::turn_source(const ropewalk_rotation& encoding, const rotation_plan& plan,
                         const row_arrangement& arranged)
    : plan_(&plan),
      axes_(plan.axis.begin(), plan.axis.end()),
      factor_(words_of_factor(plan.rows.attention_factor())),
      has_factor_(!is_one(plan.rows.attention_factor())),
      pairs_(static_cast<std::uint32_t>(plan.layout.pairs())),
      arranged_(arranged) {
  for (int pair = 0; pair < plan.layout.pairs(); ++pair) {
    const number& turns = plan.rows.turns(pair);
    if (!is_zero(turns.midpoint) && top_exponent(turns.midpoint) < slowest_turn_exponent)
      decline_field({"", "inv_freq", pair},
                    "is too small: 128-bit turns cannot round its sine; must be above 2^-46");
    const std::vector<std::uint32_t> words = turn_words(encoding, pair, is_zero(turns.midpoint));
    turns_.insert(turns_.end(), words.begin(), words.end());
    if (encoding.turns_real != nullptr) real_turns_.push_back(words_of_turns(encoding.turns_real[pair]));
  }
}

turn_source::rows::rows(kernel_device& device, const turn_source& source, const row_positions& positions,
                        std::size_t tokens, bool unit)
    : device_(&device),
      source_(&source),
      is_real_(positions.is_real),
      unit_(unit),
      has_factor_(source.has_factor_ && !unit),
      call_{.factor = has_factor_ ? source.factor_ : factor_one,
            .arranged = source.arranged_,
            .tokens = static_cast<std::uint32_t>(tokens),
            .pairs = source.pairs_},
      positions_(device.on(), bytes_of(positions.words.size())),
      turns_(device.on(), bytes_of_turns(is_real_) * source.pairs_),
      axes_(device.on(), bytes_of(source.axes_.size())),
      rows_(take_buffer(device.on(), bytes_of(tokens * source.arranged_.row_words), memory_kind::device)),
      flagged_(
          take_buffer(device.on(), bytes_of(2 + tokens * std::size_t{call_.pairs}), memory_kind::device)),
      flags_(take_buffer(device.on(), bytes_of(2), memory_kind::read_back)) {
  fill(positions_, std::span<const std::uint32_t>(positions.words));
  if (is_real_)
    fill(turns_, std::span<const real_turns>(source.real_turns_));
  else
    fill(turns_, std::span<const std::uint32_t>(source.turns_));
  fill(axes_, std::span<const std::uint32_t>(source.axes_));
}

void turn_source::rows::record(commands& by) {
  constexpr std::uint64_t repairing_groups = 16;
  positions_.send(by);
  turns_.send(by);
  axes_.send(by);
  by.clear(*flagged_, bytes_of(2));
  by.barrier();
  const std::vector<std::uint32_t> constants{has_factor_ ? 1u : 0u};
  const buffer_range buffers[] = {{&positions_.on_device()},
                                  {&turns_.on_device()},
                                  {&axes_.on_device()},
                                  {rows_.get()},
                                  {flagged_.get()}};
  const std::uint64_t entries = std::uint64_t{call_.tokens} * call_.pairs;
  device_->dispatch(by, rows_shader(is_real_), constants, buffers, call_, groups_of(entries));
  by.barrier();
  device_->dispatch(by, repair_shader(is_real_), constants, buffers, call_, repairing_groups);
  by.barrier();
  by.copy({flagged_.get(), 0, bytes_of(2)}, {flags_.get()});
}

cos_sin_bits<float> turn_source::rows::entry(std::uint32_t token, std::uint32_t pair) const {
  const std::size_t position = source_->axes_[pair] * std::size_t{call_.tokens} + token;
  const std::uint32_t* const words = positions_.as<std::uint32_t>() + words_of_position(is_real_) * position;
  const auto at = [&](auto number) {
    return source_->plan_->rows.entry<float>(static_cast<int>(pair), number, unit_);
  };
  try {
    return is_real_ ? at(real_position(words))
                    : at(whole_position(words) + std::int64_t{call_.arranged.row_offset});
  } catch (const undecided&) {
    const field_name field{"", "turns", static_cast<int>(pair)};
    throw refused_call(field.text(),
                       field.text() + " times a position is not decided by the bits that are known",
                       ROPEWALK_UNDECIDED);
  }
}

bool turn_source::rows::decide_rest() const {
  flags_->invalidate();
  const std::uint32_t listed = flags_->as<std::uint32_t>()[0];
  if (flags_->as<std::uint32_t>()[1] == 0) return false;
  device& device = device_->on();
  const pooled_buffer list = take_buffer(device, bytes_of(listed), memory_kind::read_back),
                      made = take_buffer(device, rows_->size(), memory_kind::read_back),
                      decided = take_buffer(device, rows_->size(), memory_kind::upload);
  commands fetch(device);
  fetch.barrier();
  fetch.copy({flagged_.get(), bytes_of(2), bytes_of(listed)}, {list.get()});
  fetch.copy({rows_.get()}, {made.get()});
  fetch.run();
  list->invalidate();
  made->invalidate();
  std::copy_n(made->data(), made->size(), decided->data());
  for (const std::uint32_t word : std::span(list->as<std::uint32_t>(), listed)) {
    if ((word & undecided_mark) == 0) continue;
    const std::uint32_t number = word & ~undecided_mark, token = number / call_.pairs,
                        pair = number % call_.pairs;
    const cos_sin_bits<float> bits = entry(token, pair);
    std::uint32_t* const row = decided->as<std::uint32_t>() + std::size_t{token} * call_.arranged.row_words +
                               std::size_t{pair} * call_.arranged.pair_step;
    row[call_.arranged.cosine_first] = bits.cos;
    row[call_.arranged.sine_first] = bits.sin;
  }
  decided->flush();
  commands send(device);
  send.copy({decided.get()}, {rows_.get()});
  send.run();
  return true;
}

}  // namespace ropewalk::vulkan
