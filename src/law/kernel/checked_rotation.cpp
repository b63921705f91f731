#include "ropewalk/law/kernel/checked_rotation.hpp"

#include <limits>

#include "ropewalk/kernel/pairing_number.hpp"
#include "ropewalk/kernel/resolved.hpp"
#include "ropewalk/law/kernel/formed_frequency.hpp"
#include "ropewalk/law/kernel/transcript.hpp"
#include "ropewalk/numeric/upper_binary64.hpp"

namespace ropewalk {

checked_rotation::checked_rotation(const ropewalk_kernel& kernel, promise promised, const rope& encoding,
                                   const head_layout& layout, rotated_model model, const asked_calls& calls)
    : checked_kernel(kernel, promised, calls),
      encoding_(encoding),
      layout_(layout),
      model_(std::move(model)),
      calls_(calls),
      rows_(placed_rope{encoding, model_.axes, model_.coordinates}),
      attention_(rope_attention_factor<attention_limbs>(encoding)),
      nearest_attention_(from_bits<double>(round_with_enough_limbs<double>(
          "attention_factor", [&]<int N>() { return rope_attention_factor<N>(encoding); }))) {
  validate(layout, encoding, model_.axes);
  const placed_rope placed{encoding, model_.axes, model_.coordinates};
  const auto shared = share<4>(placed);
  for (int pair = 0; pair < pairs(); ++pair)
    inv_freq_above_.push_back(upper_binary64(inv_freq_of_index(pair, placed, shared)));
  for (int pair = 0; pair < pairs() && promised.frequency != ROPEWALK_UNROUNDED; ++pair)
    frequency_error_.push_back(frequency_error_under(promised, placed, pair));
}

checked_rotation::~checked_rotation() = default;

bool checked_rotation::has_attention_one() const {
  return compare(attention_, enclosure<attention_limbs>::of(1)) == order::equal;
}

bool checked_rotation::has_bound(ropewalk_dtype dtype) const {
  return knows_frequencies() && ropewalk::has_bound(promised(), dtype, nearest_attention());
}

bool checked_rotation::knows_frequencies() const {
  return std::all_of(frequency_error_.begin(), frequency_error_.end(),
                     [](double error) { return std::isfinite(error); });
}

std::optional<std::int64_t> checked_rotation::vacuous_from(const law<checked_rotation>& law,
                                                           ropewalk_dtype dtype, bool of_every_pair) const {
  return with_format(dtype, [&]<class Float>() { return vacuous_from_in<Float>(law, of_every_pair); });
}

std::vector<int> checked_rotation::wider_head_dims() const {
  std::vector<int> dims;
  for (const int more : {1, 6, layout_.head_dim})
    if (layout_.head_dim <= largest_head_dim - more && served().serves_head_dim(layout_.head_dim + more))
      dims.push_back(layout_.head_dim + more);
  return dims;
}

rotated checked_rotation::turned(const law_case& test_case, const call_form& form) const {
  rotated result = turned(test_case, layout_.pairing_in, layout_.pairing_out, form);
  transcript::keep(this, test_case, form, result);
  return result;
}

rotated checked_rotation::turned(const law_case& test_case, pairing in, pairing out,
                                 const call_form& form) const {
  if (lacks_axes(test_case)) return turned(on_own_axes(test_case), in, out, form);
  return ask<rotate>(plan_in(test_case, in, out), test_case, form);
}

const checked_rotation& checked_rotation::of_rotary_dim(int rotary_dim) const {
  if (rotary_dim == 0) return *this;
  const std::lock_guard lock(others_mutex_);
  std::unique_ptr<checked_rotation>& result = of_rotary_dim_[rotary_dim];
  if (!result) {
    const head_layout whole{rotary_dim, layout_.pairing_in, layout_.pairing_out};
    result = std::make_unique<checked_rotation>(kernel(), promised(),
                                                rope{.base = encoding_.base, .rotary_dim = rotary_dim}, whole,
                                                rotated_model{}, calls_);
  }
  return *result;
}

const checked_rotation* checked_rotation::reference(ropewalk_dtype dtype) const {
  if (calls_.reference == nullptr) return nullptr;
  const std::lock_guard lock(others_mutex_);
  if (!reference_)
    reference_ = std::make_unique<checked_rotation>(
        *calls_.reference, promise::canonical, encoding_, layout_,
        rotated_model{.axes = model_.axes, .coordinates = model_.coordinates});
  return reference_->served().serves(dtype) ? reference_.get() : nullptr;
}

const checked_rotation* checked_rotation::same_as() const {
  if (calls_.same_as == nullptr) return nullptr;
  const std::lock_guard lock(others_mutex_);
  if (!same_as_)
    same_as_ = std::make_unique<checked_rotation>(
        *calls_.same_as, promise_of(*calls_.same_as), encoding_, layout_, model_,
        asked_calls{.positions = calls_.positions, .every_environment = calls_.every_environment});
  return same_as_.get();
}

bool checked_rotation::allows(const law_case& test_case) const {
  return served().allow(test_case) && (calls_.same_as == nullptr || same_as()->served().allow(test_case));
}

void checked_rotation::turn(const law_case& test_case, ropewalk_rotation_call& call) const {
  if (lacks_axes(test_case)) {  // every axis has the positions of the first
    call.tokens.positions.axes = model_.axes.count;
    call.tokens.positions.stride[0] = 0;
    return turn(on_own_axes(test_case), call);
  }
  hand_over(plan_in(test_case, layout_.pairing_in, layout_.pairing_out), test_case, call);
}

void checked_rotation::ask_invalid(const law_case& test_case, const judge_invalid& judge) const {
  if (lacks_axes(test_case)) return ask_invalid(on_own_axes(test_case), judge);
  const shared_plan plan = plan_in(test_case, layout_.pairing_in, layout_.pairing_out);
  ask<rotate>(plan, test_case, {});
  checked_kernel::ask_invalid<rotate>(plan, test_case, judge);
}

template <floating_format Float>
std::optional<std::int64_t> checked_rotation::vacuous_from_in(const law<checked_rotation>& law,
                                                              bool of_every_pair) const {
  const auto decides = [&](std::int64_t position) {
    bool some = false, all = true;
    for (std::size_t pair = 0; pair < inv_freq_above_.size(); ++pair) {
      const pair_bound accuracy = accuracy_within<Float>(static_cast<double>(position), pair, false);
      const pair_bound bound = law.bound_from == nullptr ? accuracy : law.bound_from(accuracy);
      if (bound.relative < law.trivial)
        some = true;
      else
        all = false;
    }
    return of_every_pair ? some : all;
  };
  std::int64_t known = -1, vacuous = largest_position + 1;
  if (law.trivial == 0 || decides(vacuous)) return std::nullopt;
  while (vacuous - known > 1) {
    const std::int64_t middle = known + (vacuous - known) / 2;
    (decides(middle) ? known : vacuous) = middle;
  }
  return vacuous;
}

/// A one-axis case on the model's axes, with the same positions on each.
law_case checked_rotation::on_own_axes(const law_case& test_case) const {
  law_case tested = test_case;
  tested.axes = model_.axes.count;
  for (int pair = 0; pair < pairs(); ++pair)
    tested.axis.push_back(axis_of(pair, model_.axes, encoding_).axis);
  for (int axis = 1; axis < tested.axes; ++axis) {
    tested.positions.insert(tested.positions.end(), test_case.positions.begin(), test_case.positions.end());
    tested.shift[static_cast<std::size_t>(axis)] = test_case.shift[0];
  }
  return tested;
}

checked_rotation::shared_plan checked_rotation::plan_in(const law_case& test_case, pairing in,
                                                        pairing out) const {
  const plan_key key{{test_case.head_dim, in, out}, test_case.table, test_case.axes, test_case.axis};
  return plan_for(key, [&](const use_encoding& use) {  // called under plan_for's lock
    if (!resolved_)
      resolved_.emplace(placed_rope{encoding_, model_.axes, model_.coordinates}, layout_, position_range{},
                        model_.config_json);
    auto handed = std::make_unique<resolved_encoding>(*resolved_);  // at another address than the last
    ropewalk_rotation encoding = handed->view();
    encoding.head_dim = key.layout.head_dim;
    encoding.pairing_in = number_of(in);
    encoding.pairing_out = number_of(out);
    encoding.table_begin = key.table.begin;
    encoding.table_end = key.table.end;
    encoding.axes = key.axes;
    encoding.axis = key.axis.empty() ? nullptr : key.axis.data();
    use(encoding.head);
    handed->spoil();
    handed_ = std::move(handed);
  });
}

}  // namespace ropewalk
