#pragma once
// One table of every kind that is not rotary.

#include <string>
#include <vector>

#include "command/program.hpp"
#include "command/table_files.hpp"

namespace ropewalk::command {

inline const scratch_folder table_inputs;

inline const std::vector<std::string> every_kind = {
    "sinusoidal --d-model 6 --positions=-4:9",
    "alibi-slopes --heads 12",
    "alibi-bias --heads 3 --queries 4 --keys 7",
    "t5-buckets --max-relative 40",
    "binary --width 5",
    "normalised --length 9",
    "sine-only --width 5 --positions=-4:9",
    "integer --positions=-4:9",
    "xpos --rotary-dim 6 --side key --layout vllm --positions=-4:9",
    "axes --base 10000 --head-dim 8 --axes pixtral --layout complex --positions " +
        table_inputs.put("image.npy", positions_on_axes(2, {0, 3, 8, -1, 4, 7})),
    "learned --positions 1:4 --weights " +
        table_inputs.put("weights.npy", array_bytes<float>(npy_dtype::f32, {4, 2}, {1, 2, 3, 4, 5, 6, 7, 8})),
    "positions --model dinov3-vitl16 --grid 3x5",
    "mixed --layout vllm --frequencies " +
        table_inputs.put("frequencies.npy",
                         array_bytes<double>(npy_dtype::f64, {2, 2, 3},
                                             {0.5, -1.25, 3, 0.1, 2, -7.5, 0.3, 11, 0.7, -0.2, 5, 1e-3})) +
        " --positions " + table_inputs.put("points.npy", positions_on_axes(2, {0, 3, 8, -1, 4, 7})),
    "skewed-cos-sin --model v-jepa-2 --grid 2x3",
    "pooled-cos-sin --model helios --layout vllm --grid 3x2 --frames 2:1-3,1:0",
};

}  // namespace ropewalk::command
