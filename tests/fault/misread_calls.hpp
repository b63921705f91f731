#pragma once
// Faults that misread a call, each with a case in which it shows. None of them shows in a plain call.

#include <vector>

#include "law/law_example.hpp"

namespace ropewalk::test {

/// A fault, and a call in which it shows.
struct misread_call {
  const char* fault;
  law_case test_case;
  call_form form{};
  const law<checked_rotation>* by = nullptr;  // the law that detects it where the output of the call does not
};

/// Two batch rows of two tokens, two heads of query and key, 16 channels of binary32, a different position
/// for each token.
inline law_case plain_call(int axes = 1) {
  law_case call;
  call.head_dim = 16;
  call.batch = call.tokens = call.query_heads = call.key_heads = 2;
  call.axes = axes;
  for (int i = 0; i < axes * 4; ++i) call.positions.push_back(7 * i + 3);
  for (int i = 0; i < 128; ++i) call.query.push_back(example::bits_near(ROPEWALK_F32, 0.01 * (i + 1)));
  for (int i = 0; i < 128; ++i) call.key.push_back(example::bits_near(ROPEWALK_F32, 0.02 * (i + 1)));
  return call;
}

template <class Change>
law_case call_with(Change change, int axes = 1) {
  law_case test_case = plain_call(axes);
  change(test_case);
  return test_case;
}

/// Two tokens of one head, with elements generated from a seed.
template <class Change>
law_case sized_call_with(Change change) {
  law_case test_case;
  test_case.head_dim = 16;
  test_case.tokens = 2;
  test_case.positions = {3, 10};
  test_case.fill = 1;
  change(test_case);
  return test_case;
}

inline std::vector<misread_call> misread_calls() {
  const std::vector<int> runs{0, 0, 0, 1, 1, 1, 2, 2};
  const std::vector<int> in_turn{0, 1, 2, 0, 1, 2, 0, 1};
  return {
      {"fault-kept-row", call_with([](law_case& c) {
         c.table = {10, 18};
       })},
      {"fault-axis-first", call_with([&](law_case& c) { c.axis = runs; }, 3)},
      {"fault-axis-runs", call_with([&](law_case& c) { c.axis = in_turn; }, 3)},
      {"fault-axis-interleaved", call_with([&](law_case& c) { c.axis = runs; }, 3)},
      {"fault-axis-exchanged", call_with([&](law_case& c) { c.axis = runs; }, 3)},
      {"fault-axis-stride", call_with([&](law_case& c) { c.axis = runs; }, 3)},
      {"fault-position-step", call_with([](law_case& c) { c.position_step = 2; })},
      {"fault-shared-row",
       call_with([](law_case& c) {
         c.positions = {3, 10, 3, 10};
       }),
       {.shared_positions = true}},
      {"fault-range-begin", plain_call(), {.part = token_range{2, 4}}},
      {"fault-range-end", plain_call(), {.part = token_range{0, 2}}},
      {"fault-key-strides", call_with([](law_case& c) { c.key_in.channel_step = 2; })},
      {"fault-aligned", call_with([](law_case& c) { c.query_in.unaligned = 2; })},
      {"fault-any-range", plain_call(), {}, &rotation_laws::refusals},
      {"fault-offset-32",
       sized_call_with([](law_case& c) { c.query_in.gap = std::int64_t{1} << 30; }),
       {},
       &rotation_laws::sizes},
      {"fault-grid",
       sized_call_with([](law_case& c) {
         c.tokens = 129, c.query_heads = 512;
         for (int i = 2; i < 129; ++i) c.positions.push_back(i);
       }),
       {},
       &rotation_laws::sizes},
      {"fault-head-192",
       sized_call_with([](law_case& c) { c.head_dim = c.rotary_dim = 192; }),
       {},
       &rotation_laws::sizes},
  };
}

}  // namespace ropewalk::test
