#include "command/verified_additions.hpp"

namespace ropewalk::command {
namespace {

using enum sinusoidal_layout;
constexpr auto tensor2tensor = sinusoidal_exponent::tensor2tensor;
constexpr named_sinusoidal sinusoids[] = {
    {"sinusoidal, Vaswani", {.d_model = 64}},
    {"sinusoidal, tensor2tensor", {.d_model = 64, .exponent = tensor2tensor, .layout = sin_cos}},
    {"sinusoidal, fairseq",
     {.d_model = 33, .exponent = tensor2tensor, .layout = sin_cos, .odd = odd_width::zero, .padding_idx = 1}},
    {"sinusoidal, MusicGen", {.d_model = 64, .exponent = tensor2tensor, .layout = cos_sin}}};

constexpr named_alibi linear_biases[] = {
    {"alibi, 8 heads", {.heads = 8}},
    {"alibi, 12 heads", {.heads = 12}},
    {"alibi, 12 heads, symmetric", {.heads = 12, .form = alibi_form::symmetric}}};

constexpr int biased_keys = 37;  // past the widths of vectors

}  // namespace

std::span<const named_sinusoidal> sinusoidal_conventions() { return sinusoids; }
std::span<const named_alibi> alibi_conventions() { return linear_biases; }

std::vector<verified_addition> verified_additions() {
  std::vector<verified_addition> r;
  for (const auto& [name, config] : sinusoids)
    r.push_back({name, std::make_shared<const addition_truth>(config)});
  for (const auto& [name, config] : linear_biases)
    r.push_back({name, std::make_shared<const addition_truth>(config, biased_keys)});
  return r;
}

}  // namespace ropewalk::command
