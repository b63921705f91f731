#include "fault/compound_faults.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "fault/canonical_steps.hpp"
#include "ropewalk/kernel/call.hpp"
#include "ropewalk/kernel/kernel_of.hpp"
#include "ropewalk/kernel/resolved.hpp"

namespace ropewalk::fault {
namespace {

constexpr std::string_view beginning = "fault-";

/// The faults to combine, by their names without "fault-". At most one fault that replaces positions is among
/// them, because these share a buffer.
constexpr auto combined = std::to_array<std::string_view>({
    "half-split",
    "interleaved",
    "backward-is-forward",
    "other-direction",
    "inverse-attention",
    "attention-dropped",
    "attention-twice",
    "attention-root",
    "attention-in-unit",
    "attention-cos-only",
    "unscaled",
    "unscaled-without-factor",
    "all-divided",
    "longrope-other-list",
    "dynamic-constant",
    "yarn-ramp-reversed",
    "yarn-truncated",
    "yarn-untruncated",
    "exponent-halved",
    "exponent-over-head-dim",
    "base-10000",
    "frequencies-bf16",
    "position-off-by-one",
    "positions-before",
    "positions-absolute",
    "positions-bf16",
    "positions-f16",
    "positions-f32",
    "positions-modulo-65536",
    "positions-unread",
    "positions-of-first-row",
    "sequences-unread",
    "range-counted-twice",
    "axis-first",
    "axis-runs",
    "axis-interleaved",
    "axis-exchanged",
    "pair-next",
    "row-exchanged",
    "row-exchanged-derived",
    "both-added",
    "both-added-derived",
    "row-without-sine",
    "whole-head",
    "pass-through-zeroed",
    "copied",
    "table-in-dtype",
    "table-in-bfloat16",
    "turned-in-dtype",
    "fused-first",
    "truncated",
    "results-flushed",
    "partner-overwritten",
});

/// Of these, the faults that compute their own frequencies: of two, only the second would have an effect.
constexpr auto frequency_faults = std::to_array<std::string_view>(
    {"unscaled", "unscaled-without-factor", "all-divided", "longrope-other-list", "dynamic-constant",
     "yarn-ramp-reversed", "yarn-truncated", "yarn-untruncated", "exponent-halved", "exponent-over-head-dim",
     "base-10000", "frequencies-bf16"});

bool forms_frequencies(const known_fault& fault) {
  const std::string_view end = std::string_view(fault.kernel.name).substr(beginning.size());
  return std::find(frequency_faults.begin(), frequency_faults.end(), end) != frequency_faults.end();
}

/// Whether a fault's sentence describes only its forward pass, and another fault describes its backward pass.
bool speaks_of_forward(const known_fault& fault) {
  return std::string_view(fault.kernel.name) == "fault-both-added-derived";
}

/// The calls, or tensors of a call, that a kernel processes on a separate path.
enum class path {
  everywhere,
  key,
  query,
  one_token,
  several_tokens,
  in_place,
  out_of_place,
  backward,
  forward,
  without_key,
  with_key,
  several_rows,
  packed_sequences,
  part_of_the_tokens
};
constexpr std::size_t paths = static_cast<std::size_t>(path::part_of_the_tokens);  // without `everywhere`

/// The name of a path, and the words before a fault's sentence.
constexpr std::pair<const char*, const char*> words_of(path where) {
  switch (where) {
    case path::everywhere: break;
    case path::key: return {"of-key", "of the key alone"};
    case path::query: return {"of-query", "of the query alone"};
    case path::one_token: return {"of-one-token", "in calls of one token alone"};
    case path::several_tokens: return {"of-several-tokens", "in calls of several tokens alone"};
    case path::in_place: return {"in-place", "where the output is the input alone"};
    case path::out_of_place: return {"out-of-place", "where the output is not the input alone"};
    case path::backward: return {"in-backward", "backward alone"};
    case path::forward: return {"in-forward", "forward alone"};
    case path::without_key: return {"without-key", "in calls without a key alone"};
    case path::with_key: return {"with-key", "in calls with a key alone"};
    case path::several_rows: return {"of-several-rows", "in calls of several batch rows alone"};
    case path::packed_sequences: return {"of-sequences", "in packed sequences alone"};
    case path::part_of_the_tokens: return {"of-a-range", "in calls of some of the tokens alone"};
  }
  return {"", ""};
}

/// Whether a tensor of a call is processed on a path; always true for the key's and the query's own path.
bool takes(path where, const checked_call& call, const rotated_tensor& tensor) {
  switch (where) {
    case path::everywhere:
    case path::key:
    case path::query: break;
    case path::one_token: return call.tokens == 1;
    case path::several_tokens: return call.tokens > 1;
    case path::in_place: return tensor.is_in_place();
    case path::out_of_place: return !tensor.is_in_place();
    case path::backward: return call.backward;
    case path::forward: return !call.backward;
    case path::without_key: return !call.key.is_present;
    case path::with_key: return call.key.is_present;
    case path::several_rows: return call.query.in.batch() > 1;
    case path::packed_sequences: return call.sequence_offset != nullptr;
    case path::part_of_the_tokens: return call.end - call.begin < call.query.in.batch() * call.tokens;
  }
  return true;
}

/// The steps of two faults. The first fault's form, layout and misreading are applied before the second's.
class both_steps final : public rotation_steps {
 public:
  both_steps(std::unique_ptr<rotation_steps> first, std::unique_ptr<rotation_steps> second)
      : first_(std::move(first)),
        second_(std::move(second)),
        filling_(first_->replaces().fills ? *first_ : *second_),
        turning_(first_->replaces().turns ? *first_ : *second_) {}

  replaced_steps replaces() const override {
    return {first_->replaces().fills || second_->replaces().fills,
            first_->replaces().turns || second_->replaces().turns};
  }
  rotated_layout layout(const rotated_layout& layout) const override {
    return second_->layout(first_->layout(layout));
  }
  void form(rotation_plan& plan, const ropewalk_rotation& encoding) override {
    first_->form(plan, encoding);
    second_->form(plan, encoding);
  }
  bool accepts(const ropewalk_rotation_call& call) const override {
    return first_->accepts(call) || second_->accepts(call);
  }
  void misread(checked_call& call) const override {
    first_->misread(call);
    second_->misread(call);
  }
  const rotation_plan& plan_for(const checked_call& call, const rotation_plan& plan) const override {
    return filling_.plan_for(call, plan);
  }
  bool skips(const token_place& place) const override {
    return first_->skips(place) || second_->skips(place);
  }
  rotated_tensor at_token(const rotated_tensor& tensor, const token_place& place) const override {
    return second_->at_token(first_->at_token(tensor, place), place);
  }
  void fill(token_row<double>& row, const rotation_plan& plan, const token_place& place, bool unit,
            bool backward) const override {
    filling_.fill(row, plan, place, unit, backward);
  }
  void fill(token_row<float>& row, const rotation_plan& plan, const token_place& place, bool unit,
            bool backward) const override {
    filling_.fill(row, plan, place, unit, backward);
  }
  void turn(const turned_head<double>& head) const override { turning_.turn(head); }
  void turn(const turned_head<float>& head) const override { turning_.turn(head); }
  void turn(const turned_head<binary16>& head) const override { turning_.turn(head); }
  void turn(const turned_head<bfloat16>& head) const override { turning_.turn(head); }
  void after_pass_through(std::byte* channels, std::int64_t stride, std::size_t size,
                          int count) const override {
    first_->after_pass_through(channels, stride, size, count);
    second_->after_pass_through(channels, stride, size, count);
  }

 private:
  std::unique_ptr<rotation_steps> first_;
  std::unique_ptr<rotation_steps> second_;
  const rotation_steps& filling_;  // the steps that fill rows
  const rotation_steps& turning_;
};

/// The steps of a kernel of known_rotation_faults().
std::unique_ptr<rotation_steps> steps_of(const ropewalk_kernel& kernel, const ropewalk_rotation& encoding) {
  ropewalk_error error{};
  ropewalk_plan* made = nullptr;
  const std::int32_t status = kernel.plan(&encoding.head, &made, &error);
  if (status != ROPEWALK_OK) throw refused_call("", error.text, status);
  auto steps = reinterpret_cast<plan_of_rotation*>(made)->take_steps();
  kernel.free_plan(made);
  return steps;
}

struct compound {
  const known_fault* first = nullptr;
  const known_fault* second = nullptr;  // null: only the first, on a path
  path where = path::everywhere;
};

class compound_plan {
 public:
  using operation = rotate;

  compound_plan(const ropewalk_rotation& encoding, const compound& compound)
      : where_(compound.where), faulty_(encoding, steps_for(compound, encoding)), kept_(encoding) {
    if (where_ != path::everywhere) right_.emplace(encoding);
  }

  void apply(const ropewalk_rotation_call& call) const {
    if (where_ == path::everywhere) return faulty_.apply(call);
    const checked_call checked = check(call, kept_.rotary_begin + kept_.layout.head.head_dim, {kept_.axes});
    const bool of_query = takes(where_, checked, checked.query),
               of_key = takes(where_, checked, checked.key.is_present ? checked.key : checked.query);
    if (of_query == of_key && where_ != path::key && where_ != path::query)
      return chosen(of_query).apply(call);
    ropewalk_rotation_call part = call;
    part.key_in.data = part.key_out.data = nullptr;
    chosen(of_query && where_ != path::key).apply(part);
    if (!checked.key.is_present) return;
    part.query_in = call.key_in;
    part.query_out = call.key_out;
    chosen(of_key && where_ != path::query).apply(part);
  }

 private:
  static std::unique_ptr<rotation_steps> steps_for(const compound& compound,
                                                   const ropewalk_rotation& encoding) {
    auto first = steps_of(compound.first->kernel, encoding);
    if (compound.second == nullptr) return first;
    return std::make_unique<both_steps>(std::move(first), steps_of(compound.second->kernel, encoding));
  }

  const plan_of_rotation& chosen(bool is_faulty) const { return is_faulty ? faulty_ : *right_; }

  path where_;
  plan_of_rotation faulty_;
  rotation_plan kept_;
  std::optional<plan_of_rotation> right_{};
};

const known_fault& fault_named(std::string_view end) {
  const auto all = known_rotation_faults();
  return *std::find_if(all.begin(), all.end(), [&](const known_fault& fault) {
    return std::string_view(fault.kernel.name).substr(beginning.size()) == end;
  });
}

constexpr std::size_t compounds = combined.size() * paths + combined.size() * (combined.size() - 1) / 2;

/// One compound per kernel below, whether or not its parts can be combined.
const std::array<compound, compounds>& all_compounds() {
  static const auto& all = *[] {  // never freed: kernels refer to them
    auto* made = new std::array<compound, compounds>;
    std::array<const known_fault*, combined.size()> parts{};
    std::transform(combined.begin(), combined.end(), parts.begin(),
                   [](std::string_view end) { return &fault_named(end); });
    std::size_t next = 0;
    for (std::size_t where = 1; where <= paths; ++where)
      for (const known_fault* const part : parts) (*made)[next++] = {part, nullptr, static_cast<path>(where)};
    for (std::size_t i = 0; i < parts.size(); ++i)
      for (std::size_t j = i + 1; j < parts.size(); ++j) (*made)[next++] = {parts[i], parts[j]};
    return made;
  }();
  return all;
}

std::int32_t make_compound_plan(std::size_t index, const ropewalk_head* head, ropewalk_plan** plan,
                                ropewalk_error* error) noexcept {
  const default_floating_environment environment;
  return answer(error, [&] {
    *plan = nullptr;
    *plan = reinterpret_cast<ropewalk_plan*>(new compound_plan(
        read_struct<ropewalk_rotation>(head, rotate::number, "encoding"), all_compounds()[index]));
  });
}

/// The C function that plans one compound: its arguments do not say which compound.
template <std::size_t index>
std::int32_t plan_of_compound(const ropewalk_head* head, ropewalk_plan** plan, ropewalk_error* error) {
  return make_compound_plan(index, head, plan, error);
}

using plan_function = std::int32_t (*)(const ropewalk_head*, ropewalk_plan**, ropewalk_error*);

constexpr auto plans = []<std::size_t... index>(std::index_sequence<index...>) {
  return std::array<plan_function, compounds>{&plan_of_compound<index>...};
}
(std::make_index_sequence<compounds>());

ropewalk_kernel kernel_of_compound(std::size_t index, const char* name) {
  return {.struct_size = sizeof(ropewalk_kernel),
          .abi = ROPEWALK_ABI,
          .name = name,
          .operation = ROPEWALK_ROTATE,
          .promise = ropewalk::detail::find_stated(promise::canonical),
          .limits = &any_pairing,
          .plan = plans[index],
          .apply = ropewalk::detail::answer_apply<compound_plan>,
          .free_plan = ropewalk::detail::free_plan_of<compound_plan>};
}

/// The steps that a kernel of known_rotation_faults() replaces, for any encoding.
replaced_steps replaced_by(const ropewalk_kernel& kernel) {
  const resolved_encoding any(
      rope{.base = 10000, .rotary_dim = 2},
      {.head_dim = 2, .pairing_in = pairing::half_split, .pairing_out = pairing::half_split});
  return steps_of(kernel, any.view())->replaces();
}

known_fault fault_of(std::size_t index) {
  const compound& compound = all_compounds()[index];
  const std::string first = compound.first->kernel.name;
  const auto& [path_name, words] = words_of(compound.where);
  if (compound.second == nullptr)
    return {kernel_of_compound(index, kept_name(first + "-" + path_name)),
            std::string(words) + ": " + compound.first->sentence,
            {first}};
  const std::string second = compound.second->kernel.name;
  return {kernel_of_compound(index, kept_name(first + "-and-" + second.substr(beginning.size()))),
          "two faults at once: " + compound.first->sentence + "; and " + compound.second->sentence,
          {first, second}};
}

}  // namespace

std::span<const known_fault> compound_rotation_faults() {
  static const auto& faults = *[] {  // never freed: callers keep the kernels
    auto* made = new std::vector<known_fault>;
    std::map<const known_fault*, replaced_steps> replaced;
    for (const std::string_view end : combined) {
      const known_fault& fault = fault_named(end);
      replaced[&fault] = replaced_by(fault.kernel);
    }
    for (std::size_t index = 0; index < compounds; ++index) {
      const compound& compound = all_compounds()[index];
      const replaced_steps first = replaced[compound.first],
                           second = compound.second == nullptr ? replaced_steps{} : replaced[compound.second];
      if ((first.fills && second.fills) || (first.turns && second.turns)) continue;
      if (compound.where == path::backward && speaks_of_forward(*compound.first)) continue;
      if (compound.second != nullptr && forms_frequencies(*compound.first) &&
          forms_frequencies(*compound.second))
        continue;
      made->push_back(fault_of(index));
    }
    return made;
  }();
  return faults;
}

}  // namespace ropewalk::fault
