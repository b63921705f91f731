#pragma once
// Explains why each law of kernels matters: the symptoms of a broken law, and a public report of such a
// fault.

#include <stdexcept>
#include <string>
#include <string_view>

namespace ropewalk::report {

struct law_reason {
  std::string_view law;
  std::string_view why;
  std::string_view name;  // a thread of a public tracker, and its fault
};

inline constexpr law_reason law_reasons[] = {
    {"canonical", "one checksum tells whether a change of code, compiler or machine changed any number",
     "sgl-project/sglang#34347: a compiler contracts two operations across a rounding to bfloat16"},
    {"accuracy", "a wrong angle gives worse answers and no error message",
     "huggingface/transformers#29496: tables are made again from inverse frequencies in bfloat16"},
    {"norm", "a rotation keeps lengths; a score that is too large or too small shifts all attention",
     "vllm-project/vllm-ascend#12723: queries and keys change their lengths at head_dim 192"},
    {"relative-position", "a text must mean the same wherever it stands in the context",
     "hpcaitech/ColossalAI#6428: query and key are exchanged where heads share keys"},
    {"identity", "the first token shows an exchange of cosine and sine, and positions that begin at 1",
     "flashinfer-ai/flashinfer#3819: sines and cosines of a timestep are exchanged"},
    {"composition", "caches shift keys that are rotated already, and must get the key of the new position",
     "ggml-org/llama.cpp#19296: keys are shifted in place, in memory that is not contiguous"},
    {"round-trip", "turning a key back must give the cached key",
     "ggml-org/llama.cpp#19928: keys of several axes are shifted as if they had one"},
    {"adjoint", "training follows the gradient; a wrong one trains a wrong model and raises nothing",
     "PaddlePaddle/Paddle#74716: the gradient is rotate_half(dy) sin, which a test with equal halves passes"},
    {"extrapolation", "faults at far positions show only in long contexts, which few tests have",
     "unslothai/unsloth#6197: nonsense beyond 29,000 tokens, where the rule of llama3 is dropped"},
    {"own-axis", "an image's row and column, a video's time: each must turn only its own pairs",
     "ggml-org/llama.cpp#19928: keys of several axes are shifted as if they had one"},
    {"position-kinds", "the same place given as 3 and as 3.0 must be the same place", ""},
    {"prefill-decode", "a prompt and the same tokens one by one must give the same cache",
     "Xilinx/mlir-air#1948: the rule of llama3 is applied in decode and not in prefill"},
    {"layouts", "a kernel that takes one pairing for the other gives fluent nonsense",
     "ikawrakow/ik_llama.cpp#2290: 39 architectures change their pairing, and no test notices"},
    {"pass-through", "channels that do not rotate carry meaning without position",
     "sgl-project/sglang#35096: channels past rotary_dim are rotated, and the next head is overwritten"},
    {"non-finite", "one NaN of a padded token must not spread to others", ""},
    {"linearity", "a kernel that rounds through another format loses large or small numbers", ""},
    {"unit-rotation", "the attention factor must enter a score once for the query and once for the key",
     "sgl-project/sglang#26203: the factor is applied where the configuration says that it is not"},
    {"environment", "a kernel that inherits flush-to-zero from its caller gives other numbers", ""},
    {"refusals", "a call that a kernel cannot answer must be an error, not numbers",
     "NVIDIA-NeMo/Automodel#2825: an unknown rule is taken for llama3, in silence"},
    {"sizes", "faults of grids, strides and 32-bit offsets show only at some sizes",
     "ml-explore/mlx#3494: batch rows above 0 are wrong at one token"},
    {"same-as",
     "one engine trains and another samples: where their bits differ, so do the probabilities of tokens",
     ""}};

/// domain  the name of a law of kernels
inline const law_reason& reason_of(std::string_view law) {
  for (const law_reason& reason : law_reasons)
    if (reason.law == law) return reason;
  throw std::logic_error("no reason for law " + std::string(law));
}

}  // namespace ropewalk::report
