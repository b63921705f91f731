// Records of benchmarks.

#include "measure/bench_record.hpp"

#include <string>

#include "fuzz/target.hpp"
#include "input/bad_input.hpp"

namespace ropewalk::fuzz {

void bench_record(input_bytes input) {
  try {
    const measure::bench_record read = measure::bench_record_from_json(text_in(input), "bench.json", "bench");
    const std::string text = measure::as_json(read);
    need(measure::as_json(measure::bench_record_from_json(text, "bench.json", "bench")) == text,
         "a record changes when it is written");
  } catch (const bad_input&) {
  }
}

}  // namespace ropewalk::fuzz

ROPEWALK_FUZZ_TARGET(bench_record);
