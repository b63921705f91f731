#include "ropewalk/law/kernel/checked_rotation.hpp"

#include <limits>

#include "ropewalk/kernel/pairing_number.hpp"
#include "ropewalk/kernel/resolved.hpp"
#include "ropewalk/law/kernel/formed_frequency.hpp"
#include "ropewalk/numeric/upper_binary64.hpp"

namespace ropewalk {

checked_rotation::checked_rotation(const ropewalk_kernel& kernel, promise promised, const rope& encoding,
                                   const head_layout& layout, rotated_model model, const asked_calls& calls)
    : checked_kernel(kernel, promised, calls), others_(new other_kernels{calls}) {
  const placed_rope placed{encoding, model.axes, model.coordinates};
  exact_.reset(new exact_encoding{
      encoding, layout, std::move(model), rope_rows(placed), rope_attention_factor<attention_limbs>(encoding),
      from_bits<double>(round_with_enough_limbs<double>(
          "attention_factor", [&]<int N>() { return rope_attention_factor<N>(encoding); }))});
  validate(layout, encoding, exact_->model.axes);
  const auto shared = share<4>(placed);
  for (int pair = 0; pair < pairs(); ++pair)
    exact_->inv_freq_above.push_back(upper_binary64(inv_freq_of_index(pair, placed, shared)));
  for (int pair = 0; pair < pairs() && promised.frequency != ROPEWALK_UNROUNDED; ++pair)
    exact_->frequency_error.push_back(frequency_error_under(promised, placed, pair));
}

checked_rotation::checked_rotation(const checked_rotation& like, const ropewalk_kernel& kernel)
    : checked_kernel(like, kernel), exact_(like.exact_), others_(new other_kernels{like.others_->calls}) {}

bool checked_rotation::has_attention_one() const {
  return compare(exact_->attention, enclosure<attention_limbs>::of(1)) == order::equal;
}

bool checked_rotation::has_bound(ropewalk_dtype dtype) const {
  return knows_frequencies() && ropewalk::has_bound(promised(), dtype, nearest_attention());
}

bool checked_rotation::knows_frequencies() const {
  return std::all_of(exact_->frequency_error.begin(), exact_->frequency_error.end(),
                     [](double error) { return std::isfinite(error); });
}

std::optional<std::int64_t> checked_rotation::vacuous_from(const law<checked_rotation>& law,
                                                           ropewalk_dtype dtype, bool of_every_pair) const {
  return with_format(dtype, [&]<class Float>() { return vacuous_from_in<Float>(law, of_every_pair); });
}

std::vector<int> checked_rotation::wider_head_dims() const {
  std::vector<int> dims;
  for (const int more : {1, 6, exact_->layout.head_dim})
    if (exact_->layout.head_dim <= largest_head_dim - more &&
        served().serves_head_dim(exact_->layout.head_dim + more))
      dims.push_back(exact_->layout.head_dim + more);
  return dims;
}

rotated checked_rotation::turned(const law_case& test_case, const call_form& form) const {
  rotated result = turned(test_case, exact_->layout.pairing_in, exact_->layout.pairing_out, form);
  keep(test_case, form, result);
  return result;
}

rotated checked_rotation::turned(const law_case& test_case, pairing in, pairing out,
                                 const call_form& form) const {
  if (lacks_axes(test_case)) return turned(on_own_axes(test_case), in, out, form);
  return ask<rotate>(plan_in(test_case, in, out), test_case, form);
}

checked_rotation checked_rotation::recording(call_record& record) const {
  checked_rotation recorded = *this;
  recorded.record_calls(record);
  return recorded;
}

checked_rotation checked_rotation::beside(const checked_rotation& other) const {
  checked_rotation recorded = other;
  recorded.record_facts_of(*this);
  return recorded;
}

checked_rotation checked_rotation::of_rotary_dim(int rotary_dim) const {
  if (rotary_dim == 0) return *this;
  const std::lock_guard lock(others_->mutex);
  std::unique_ptr<const checked_rotation>& result = others_->of_rotary_dim[rotary_dim];
  if (!result) {
    const head_layout whole{rotary_dim, layout().pairing_in, layout().pairing_out};
    result = std::make_unique<const checked_rotation>(kernel(), promised(),
                                                      rope{.base = encoding().base, .rotary_dim = rotary_dim},
                                                      whole, rotated_model{}, others_->calls);
  }
  return beside(*result);
}

std::optional<checked_rotation> checked_rotation::reference(ropewalk_dtype dtype) const {
  if (others_->calls.reference == nullptr) return std::nullopt;
  const std::lock_guard lock(others_->mutex);
  std::unique_ptr<const checked_rotation>& result = others_->reference;
  if (!result)
    result = std::make_unique<const checked_rotation>(
        *others_->calls.reference, promise::canonical, encoding(), layout(),
        rotated_model{.axes = model().axes, .coordinates = model().coordinates});
  if (!result->served().serves(dtype)) return std::nullopt;
  return beside(*result);
}

std::optional<checked_rotation> checked_rotation::same_as() const {
  const asked_calls& calls = others_->calls;
  if (calls.same_as == nullptr) return std::nullopt;
  const std::lock_guard lock(others_->mutex);
  std::unique_ptr<const checked_rotation>& result = others_->same_as;
  if (!result)
    result = std::make_unique<const checked_rotation>(
        *calls.same_as, promise_of(*calls.same_as), encoding(), layout(), model(),
        asked_calls{.positions = calls.positions, .every_environment = calls.every_environment});
  return beside(*result);
}

bool checked_rotation::allows(const law_case& test_case) const {
  return served().allow(test_case) &&
         (others_->calls.same_as == nullptr || same_as()->served().allow(test_case));
}

void checked_rotation::turn(const law_case& test_case, ropewalk_rotation_call& call) const {
  if (lacks_axes(test_case)) {  // every axis has the positions of the first
    call.tokens.positions.axes = exact_->model.axes.count;
    call.tokens.positions.stride[0] = 0;
    return turn(on_own_axes(test_case), call);
  }
  hand_over(plan_in(test_case, exact_->layout.pairing_in, exact_->layout.pairing_out), test_case, call);
}

void checked_rotation::ask_invalid(const law_case& test_case, const judge_invalid& judge) const {
  if (lacks_axes(test_case)) return ask_invalid(on_own_axes(test_case), judge);
  const shared_plan plan = plan_in(test_case, exact_->layout.pairing_in, exact_->layout.pairing_out);
  ask<rotate>(plan, test_case, {});
  checked_kernel::ask_invalid<rotate>(plan, test_case, judge);
}

template <floating_format Float>
std::optional<std::int64_t> checked_rotation::vacuous_from_in(const law<checked_rotation>& law,
                                                              bool of_every_pair) const {
  const auto decides = [&](std::int64_t position) {
    bool some = false, all = true;
    for (std::size_t pair = 0; pair < exact_->inv_freq_above.size(); ++pair) {
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
  tested.axes = exact_->model.axes.count;
  for (int pair = 0; pair < pairs(); ++pair)
    tested.axis.push_back(axis_of(pair, exact_->model.axes, exact_->encoding).axis);
  for (int axis = 1; axis < tested.axes; ++axis) {
    tested.positions.insert(tested.positions.end(), test_case.positions.begin(), test_case.positions.end());
    tested.shift[static_cast<std::size_t>(axis)] = test_case.shift[0];
  }
  return tested;
}

checked_rotation::shared_plan checked_rotation::plan_in(const law_case& test_case, pairing in,
                                                        pairing out) const {
  const plan_key key{{test_case.head_dim, in, out}, test_case.table, test_case.axes, test_case.axis};
  return plan_for(key, [&](const use_encoding& use) {
    const std::lock_guard lock(exact_->handed_mutex);
    if (!exact_->resolved)
      exact_->resolved.emplace(placed_rope{exact_->encoding, exact_->model.axes, exact_->model.coordinates},
                               exact_->layout, position_range{}, exact_->model.config_json);
    auto handed = std::make_unique<resolved_encoding>(*exact_->resolved);  // at another address than the last
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
    exact_->handed = std::move(handed);
  });
}

}  // namespace ropewalk
