#pragma once
// One table of every kind that is not rotary.

#include <string>
#include <vector>

namespace ropewalk::command {

inline const std::vector<std::string> every_kind = {
    "sinusoidal --d-model 6 --positions=-4:9",
    "alibi-slopes --heads 12",
    "alibi-bias --heads 3 --queries 4 --keys 7",
    "t5-buckets --max-relative 40",
    "binary --width 5",
    "normalised --length 9",
    "sine-only --width 5 --positions=-4:9",
};

}  // namespace ropewalk::command
