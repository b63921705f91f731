#include "command/verified_additions.hpp"

#include <utility>

namespace ropewalk::command {

std::vector<verified_addition> verified_additions() {
  std::vector<verified_addition> r;
  const auto add = [&](std::string name, auto... config) {
    r.push_back({std::move(name), std::make_shared<const addition_truth>(config...)});
  };
  constexpr int keys = 37;  // past the widths of vectors
  using enum sinusoidal_layout;
  add("sinusoidal, Vaswani", sinusoidal{.d_model = 64});
  add("sinusoidal, tensor2tensor",
      sinusoidal{.d_model = 64, .exponent = sinusoidal_exponent::tensor2tensor, .layout = sin_cos});
  add("sinusoidal, fairseq", sinusoidal{.d_model = 33,
                                        .exponent = sinusoidal_exponent::tensor2tensor,
                                        .layout = sin_cos,
                                        .odd = odd_width::zero,
                                        .padding_idx = 1});
  add("sinusoidal, MusicGen",
      sinusoidal{.d_model = 64, .exponent = sinusoidal_exponent::tensor2tensor, .layout = cos_sin});
  add("alibi, 8 heads", alibi{.heads = 8}, keys);
  add("alibi, 12 heads", alibi{.heads = 12}, keys);
  add("alibi, 12 heads, symmetric", alibi{.heads = 12, .form = alibi_form::symmetric}, keys);
  return r;
}

}  // namespace ropewalk::command
