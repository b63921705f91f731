#pragma once
// The headings of --help and of manual pages.

#include "command/option/option_row.hpp"

namespace ropewalk::command::headings {

inline constexpr option_heading none{};

inline constexpr option_heading one_encoding{"Which encoding", "--model llama-3.1-8b"};
inline constexpr option_heading some_encodings{"Which encodings (repeatable)",
                                               "--config config.json --model gpt-j-6b"};
inline constexpr option_heading positions{"Which encoding"};

inline constexpr option_heading kernels{"Which kernels",
                                        "--kernel library:./libmine.so --promise rounded-table"};
inline constexpr option_heading arrays{"Arrays of files",
                                       "--table rope.safetensors#cos --as cos --model llama-3.1-8b"};
inline constexpr option_heading table_kinds{"Options of some kinds of table",
                                            "table alibi-bias --heads 8 --keys 128"};
inline constexpr option_heading laws{"Which laws", "--law accuracy norm --positions 0:131072"};
inline constexpr option_heading cases{"How many cases", "--cases 10000 --seed 7"};
inline constexpr option_heading transports{"Libraries and programs",
                                           "--kernel 'program:python3 mine.py' --call-limit 60"};
inline constexpr option_heading failures{"What fails", "--fail-on vacuous --fail-on growth=1@131072"};
inline constexpr option_heading reports{"Reports", "--report junit=verify.xml --report json=verify.json"};
inline constexpr option_heading vulkan{"Vulkan", "--device 1 --require-vulkan"};

inline constexpr option_heading written{"What is written", "--dtype bf16 --format c --output cos.h"};
inline constexpr option_heading compared{"To judge an array instead", "--compare theirs.npy"};

inline constexpr option_heading apply{"Apply"};
inline constexpr option_heading additions{"Kernels that add", "--kernel cpu-alibi-add --form bloom"};

inline constexpr option_heading printed{"What is printed"};
inline constexpr option_heading lengths{"What lies beyond training",
                                        "explain extrapolation --model llama-2-7b --target 32768"};
inline constexpr option_heading two_configs{"Two configurations"};

inline constexpr option_heading outputs{"Outputs (at least one; - is standard output)"};
inline constexpr option_heading drawn{"What is drawn"};

inline constexpr option_heading timed{
    "What is timed", "--kernel cpu-turns library:./libmine.so --tokens 512,4096 --dtype bf16"};
inline constexpr option_heading run{"The run", "--quick --out bench.json"};
inline constexpr option_heading comparison{"Comparison", "--compare old.json new.json --threshold 5"};

inline constexpr option_heading sweep{"Sweep"};

}  // namespace ropewalk::command::headings
