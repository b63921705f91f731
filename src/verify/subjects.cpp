#include "verify/subjects.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

namespace ropewalk::verify {
namespace {

using enum sinusoidal_layout;
constexpr named_sinusoidal sinusoids[] = {
    {"sinusoidal, Vaswani", {.d_model = 64}},
    {"sinusoidal, tensor2tensor", {.d_model = 64, .shift = 1, .layout = sin_cos}},
    {"sinusoidal, fairseq",
     {.d_model = 33, .shift = 1, .layout = sin_cos, .odd = odd_width::zero, .padding_idx = 1}},
    {"sinusoidal, MusicGen", {.d_model = 64, .shift = 1, .layout = cos_sin}}};

constexpr named_alibi linear_biases[] = {
    {"alibi, 8 heads", {.heads = 8}},
    {"alibi, 12 heads", {.heads = 12}},
    {"alibi, 12 heads, symmetric", {.heads = 12, .form = alibi_form::symmetric}},
    {"alibi, 12 heads, bloom", {.heads = 12, .form = alibi_form::key}},
    {"alibi, 12 heads, mpt", {.heads = 12, .form = alibi_form::last_key}}};

constexpr int biased_keys = 37;  // longer than a vector register, and no multiple of it

/// The last length before a rule's table changes, and one after it. A base that grows with the length has
/// hardly changed right after that, so its second length is four times the first.
std::vector<std::int64_t> decisive_seq_lens(const rope_scaling& scaling) {
  const auto last = static_cast<std::int64_t>(changing_length(scaling));
  const bool grows = scaling.visit([](const auto& rule) { return growing_base<decltype(rule)>; });
  return {last, grows ? std::min(4 * last, largest_seq_len) : last + 1};
}

}  // namespace

std::span<const named_sinusoidal> sinusoidal_conventions() { return sinusoids; }
std::span<const named_alibi> alibi_conventions() { return linear_biases; }

std::vector<rotation_subject> at_decisive_lengths(const model::model& model, const std::string& options,
                                                  const std::string& typed_seq_len) {
  if (!depends_on_seq_len(model.encoding.scaling)) return {{at_seq_len(model, typed_seq_len, {}), options}};
  const bool is_typed = !typed_seq_len.empty();
  std::vector<rotation_subject> subjects;
  for (const std::int64_t seq_len :
       is_typed ? std::vector<std::int64_t>{0} : decisive_seq_lens(model.encoding.scaling)) {
    rotation_subject subject{
        at_seq_len(model, typed_seq_len, {seq_len, "on one side of where the table changes"}), options};
    const std::string length = std::to_string(subject.model.encoding.seq_len);
    if (!is_typed) subject.options += " --seq-len " + length;
    subject.model.name += "@" + length;
    subjects.push_back(std::move(subject));
  }
  return subjects;
}

std::vector<rotation_subject> spread_of_models() {
  std::vector<rotation_subject> subjects;
  for (const std::string_view name : model::catalogue_spread())
    for (rotation_subject& subject :
         at_decisive_lengths(model::catalogue_model(name), "--model " + std::string(name), {}))
      subjects.push_back(std::move(subject));
  return subjects;
}

std::vector<addition_subject> every_addition() {
  std::vector<addition_subject> addition;
  for (const auto& [name, config] : sinusoids)
    addition.push_back({name, std::make_shared<const addition_truth>(config)});
  for (const auto& [name, config] : linear_biases)
    addition.push_back({name, std::make_shared<const addition_truth>(config, biased_keys)});
  return addition;
}

}  // namespace ropewalk::verify
