// Which elements and calls the laws check: kernels that are wrong in one place, or in one kind of call alone,
// fail the laws that should notice.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/kernels.hpp"
#include "law/law_example.hpp"
#include "ropewalk/kernel/floating_environment.hpp"
#include "ropewalk/kernel/operation.hpp"

namespace ropewalk::questions_test {
namespace {

/// One head of a tensor in a call.
struct asked_head {
  const ropewalk_rotation_call& call;
  const floating_registers& caller;
  bool is_key;
  std::int64_t row, token, head;
};

/// Flips the top fraction bit of channel 0, in binary32, in every head for which spoils(row, token, head).
template <class Spoils>
void spoil_where(const ropewalk_tensor& out, const ropewalk_rotation_call& call, Spoils spoils) {
  if (out.data == nullptr || out.dtype != ROPEWALK_F32) return;
  const int first = out.rank == 4 ? 1 : 0;
  const std::int64_t tokens = out.shape[first];
  for (std::int64_t index = call.tokens.begin; index < call.tokens.end; ++index)
    for (std::int64_t head = 0; head < out.shape[first + 1]; ++head) {
      const std::int64_t row = index / tokens, token = index % tokens;
      if (!spoils(row, token, head)) continue;
      const std::int64_t at =
          (first == 1 ? row * out.stride[0] : 0) + token * out.stride[first] + head * out.stride[first + 1];
      auto* element = static_cast<std::byte*>(out.data) + at * 4;
      element[2] ^= std::byte{0x40};
    }
}

/// cpu-table, with wrong output in every head for which Spoils(asked_head).
template <auto Spoils>
ropewalk_kernel wrong_where() {
  ropewalk_kernel kernel = cpu_table_kernel();
  kernel.apply = [](const ropewalk_plan* plan, const ropewalk_head* head,
                    ropewalk_error* error) -> std::int32_t {
    const floating_registers caller = read_floating_registers();
    const std::int32_t status = cpu_table_kernel().apply(plan, head, error);
    if (status != ROPEWALK_OK) return status;
    const auto call = read_struct<ropewalk_rotation_call>(head, ROPEWALK_ROTATE, "call");
    for (const bool is_key : {false, true})
      spoil_where(is_key ? call.key_out : call.query_out, call,
                  [&](std::int64_t row, std::int64_t token, std::int64_t at) {
                    return Spoils(asked_head{call, caller, is_key, row, token, at});
                  });
    return status;
  };
  return kernel;
}

using names = std::vector<std::string_view>;

/// Laws that must notice a wrong head.
const names of_every_head{"canonical",  "accuracy",      "norm",          "identity",          "composition",
                          "round-trip", "unit-rotation", "extrapolation", "relative-position", "adjoint"};

/// Expects each of the named laws to fail a kernel, under two promises, on one of a few binary32 cases.
void expect_seen(const ropewalk_kernel& kernel, const names& laws, std::uint32_t flags = 0) {
  const example::encoding& from = example::encodings().front();
  for (const promise promised : {promise::canonical, promise::rounded_table}) {
    const checked_rotation checked(kernel, promised, from.config, from.layout);
    for (const std::string_view name : laws) {
      bool is_known = false, is_seen = false;
      for (const law<checked_rotation>& law : rotation_laws::all) {
        if (law.name != name) continue;
        is_known = true;
        if (!law.applies(checked)) is_seen = true;
        for (std::uint64_t seed = 0; seed < 4 && law.applies(checked); ++seed) {
          law_case test_case = example::case_for(law, from, ROPEWALK_F32, seed);
          test_case.flags |= law.needs.attention_factor || law.needs.one_range ? 0 : flags;
          is_seen = is_seen || !measure(law, checked, test_case).holds;
        }
      }
      EXPECT_TRUE(is_known) << name;
      EXPECT_TRUE(is_seen) << name << " under " << name_of(promised, ROPEWALK_ROTATE);
    }
  }
}

TEST(Questions, TheQueryIsLookedAt) {
  constexpr auto spoils = [](const asked_head& at) { return !at.is_key; };
  expect_seen(wrong_where<spoils>(), of_every_head);
}

TEST(Questions, TheKeyIsLookedAt) {
  constexpr auto spoils = [](const asked_head& at) { return at.is_key; };
  expect_seen(wrong_where<spoils>(), of_every_head);
}

TEST(Questions, TheLastHeadIsLookedAt) {
  constexpr auto spoils = [](const asked_head& at) { return !at.is_key && at.head == 1; };
  expect_seen(wrong_where<spoils>(), of_every_head);
}

TEST(Questions, TheLastTokenIsLookedAt) {
  constexpr auto spoils = [](const asked_head& at) { return at.token == 2; };
  expect_seen(wrong_where<spoils>(), of_every_head);
}

TEST(Questions, TheLastBatchRowIsLookedAt) {
  constexpr auto spoils = [](const asked_head& at) { return at.row == 1; };
  expect_seen(wrong_where<spoils>(), of_every_head);
}

TEST(Questions, BackwardIsAsked) {
  constexpr auto spoils = [](const asked_head& at) { return (at.call.flags & ROPEWALK_BACKWARD) != 0; };
  expect_seen(wrong_where<spoils>(), {"round-trip", "adjoint"});
  expect_seen(wrong_where<spoils>(), {"canonical", "accuracy", "norm", "composition"}, ROPEWALK_BACKWARD);
}

TEST(Questions, ASecondRotationIsAskedForItsOwnPosition) {
  // Wrong only where the first position is 77, which the second rotation alone has.
  constexpr auto spoils = [](const asked_head& at) {
    const ropewalk_positions& positions = at.call.tokens.positions;
    return positions.kind == ROPEWALK_POSITIONS_I32 &&
           static_cast<const std::int32_t*>(positions.data)[0] == 77;
  };
  const ropewalk_kernel kernel = wrong_where<spoils>();
  const example::encoding& from = example::encodings().front();
  const checked_rotation checked(kernel, promise::canonical, from.config, from.layout);
  for (const law<checked_rotation>* law : {&rotation_laws::composition, &rotation_laws::unit_rotation}) {
    law_case test_case = example::case_for(*law, from, ROPEWALK_F32, 1);
    test_case.shift[0] = 77;
    EXPECT_FALSE(measure(*law, checked, test_case).holds) << law->name;
  }
}

TEST(Questions, UnitIsAsked) {
  constexpr auto spoils = [](const asked_head& at) { return (at.call.flags & ROPEWALK_UNIT) != 0; };
  expect_seen(wrong_where<spoils>(), {"unit-rotation"});
}

std::int64_t tokens_of(const asked_head& at) {
  const ropewalk_tensor& in = at.call.query_in;
  return in.rank == 4 ? in.shape[0] * in.shape[1] : in.shape[0];
}

bool is_part(const asked_head& at) { return at.call.tokens.begin > 0 || at.call.tokens.end < tokens_of(at); }

TEST(Questions, PartsOfTheTokensAreAskedFor) {
  constexpr auto lies_inside = [](const asked_head& at) {
    return at.call.tokens.begin > 0 && at.call.tokens.end < tokens_of(at);
  };
  expect_seen(wrong_where<lies_inside>(), {"prefill-decode"});
  constexpr auto begins_at_the_third = [](const asked_head& at) {
    return at.call.tokens.begin == 3 && at.call.tokens.end == tokens_of(at) &&
           at.call.tokens.sequence_offset == nullptr;
  };
  expect_seen(wrong_where<begins_at_the_third>(), {"prefill-decode"});
  constexpr auto is_in_place = [](const asked_head& at) {
    return at.call.query_in.data == at.call.query_out.data && is_part(at);
  };
  expect_seen(wrong_where<is_in_place>(), {"prefill-decode"});
  constexpr auto is_one_token = [](const asked_head& at) {
    return at.call.query_in.rank == 4 && at.call.query_in.shape[1] == 1;
  };
  expect_seen(wrong_where<is_one_token>(), {"prefill-decode"});
}

TEST(Questions, PartsOfSequencesAreAskedFor) {
  constexpr auto is_a_sequences_part = [](const asked_head& at) {
    return at.call.tokens.sequence_offset != nullptr && at.call.tokens.begin > 0;
  };
  expect_seen(wrong_where<is_a_sequences_part>(), {"prefill-decode"});
  constexpr auto is_a_counted_part = [](const asked_head& at) {
    return at.call.tokens.positions.kind == ROPEWALK_COUNTED && at.call.tokens.begin > 0;
  };
  expect_seen(wrong_where<is_a_counted_part>(), {"prefill-decode"});
}

/// Frequencies of the encoding from which the last plan was made.
const double* read_later = nullptr;

TEST(Questions, AnEncodingIsGoneOnceThePlanIsMade) {
  constexpr auto reads_it_later = [](const asked_head&) { return !(read_later[0] > 0); };
  ropewalk_kernel kernel = wrong_where<reads_it_later>();
  kernel.plan = [](const ropewalk_head* encoding, ropewalk_plan** plan,
                   ropewalk_error* error) -> std::int32_t {
    const std::int32_t status = cpu_table_kernel().plan(encoding, plan, error);
    if (status == ROPEWALK_OK)
      read_later = read_struct<ropewalk_rotation>(encoding, ROPEWALK_ROTATE, "encoding").inv_freq;
    return status;
  };
  expect_seen(kernel, {"canonical", "accuracy"});
}

TEST(Questions, NoTokensAreAskedFor) {
  ropewalk_kernel kernel = cpu_table_kernel();
  kernel.apply = [](const ropewalk_plan* plan, const ropewalk_head* head,
                    ropewalk_error* error) -> std::int32_t {
    const auto call = read_struct<ropewalk_rotation_call>(head, ROPEWALK_ROTATE, "call");
    return call.query_in.rank == 4 && call.query_in.shape[1] == 0
               ? ROPEWALK_INVALID_ARGUMENT
               : cpu_table_kernel().apply(plan, head, error);
  };
  expect_seen(kernel, {"prefill-decode"});
}

TEST(Questions, OtherWaysToHandOverAreAskedFor) {
  constexpr auto has_sequences = [](const asked_head& at) { return at.call.tokens.sequences == 2; };
  expect_seen(wrong_where<has_sequences>(), {"prefill-decode"});
  constexpr auto has_uneven_ones = [](const asked_head& at) {
    return at.call.tokens.sequences == 5 && at.call.tokens.positions.kind != ROPEWALK_COUNTED;
  };
  expect_seen(wrong_where<has_uneven_ones>(), {"prefill-decode"});
  constexpr auto is_counted = [](const asked_head& at) {
    return at.call.tokens.positions.kind == ROPEWALK_COUNTED;
  };
  expect_seen(wrong_where<is_counted>(), {"prefill-decode"});
  constexpr auto has_rank_3 = [](const asked_head& at) {
    return at.call.query_in.rank == 3 && at.call.tokens.sequence_offset == nullptr;
  };
  expect_seen(wrong_where<has_rank_3>(), {"prefill-decode"});
  constexpr auto is_in_place = [](const asked_head& at) {
    return at.call.query_in.data == at.call.query_out.data && !is_part(at);
  };
  expect_seen(wrong_where<is_in_place>(), {"prefill-decode"});
}

TEST(Questions, SharedPositionRowsAreAskedFor) {
  constexpr auto is_shared = [](const asked_head& at) {
    return at.call.query_in.rank == 4 && at.call.query_in.shape[0] > 1 &&
           at.call.tokens.positions.stride[1] == 0;
  };
  const ropewalk_kernel kernel = wrong_where<is_shared>();
  const example::encoding& from = example::encodings().front();
  const checked_rotation checked(kernel, promise::canonical, from.config, from.layout);
  law_case test_case = example::case_for(rotation_laws::prefill_decode, from, ROPEWALK_F32, 1);
  for (std::size_t i = 3; i < 6; ++i) test_case.positions[i] = test_case.positions[i - 3];
  EXPECT_FALSE(measure(rotation_laws::prefill_decode, checked, test_case).holds);
}

TEST(Questions, EveryOtherLayoutIsAskedFor) {
  constexpr auto is_other = [](const asked_head& at) { return at.head >= 0; };
  for (const auto& [in, out] : {std::pair{pairing::interleaved, pairing::interleaved},
                                {pairing::interleaved, pairing::half_split},
                                {pairing::half_split, pairing::interleaved}}) {
    static ropewalk_pairing wrong_in, wrong_out;
    static ropewalk_plan* wrong = nullptr;
    wrong = nullptr;
    wrong_in = in == pairing::interleaved ? ROPEWALK_INTERLEAVED : ROPEWALK_HALF_SPLIT;
    wrong_out = out == pairing::interleaved ? ROPEWALK_INTERLEAVED : ROPEWALK_HALF_SPLIT;
    ropewalk_kernel kernel = wrong_where<is_other>();
    kernel.plan = [](const ropewalk_head* head, ropewalk_plan** plan, ropewalk_error* error) -> std::int32_t {
      const auto encoding = read_struct<ropewalk_rotation>(head, ROPEWALK_ROTATE, "encoding");
      const std::int32_t status = cpu_table_kernel().plan(head, plan, error);
      if (encoding.pairing_in == wrong_in && encoding.pairing_out == wrong_out) wrong = *plan;
      return status;
    };
    kernel.apply = [](const ropewalk_plan* plan, const ropewalk_head* head,
                      ropewalk_error* error) -> std::int32_t {
      return (plan == wrong ? wrong_where<is_other>() : cpu_table_kernel()).apply(plan, head, error);
    };
    const example::encoding& from = example::encodings().front();  // half-split in and out
    const checked_rotation checked(kernel, promise::canonical, from.config, from.layout);
    EXPECT_FALSE(measure(rotation_laws::layouts, checked,
                         example::case_for(rotation_laws::layouts, from, ROPEWALK_F32, 1))
                     .holds);
  }
}

TEST(Questions, EveryEnvironmentIsAskedFor) {
  constexpr auto flushes = [](const asked_head& at) {
    return same_arithmetic(at.caller, flushing_floating_registers());
  };
  expect_seen(wrong_where<flushes>(), {"environment"});
  constexpr auto rounds_upward = [](const asked_head& at) {
    return same_arithmetic(at.caller, upward_floating_registers());
  };
  expect_seen(wrong_where<rounds_upward>(), {"environment"});
}

TEST(Questions, ValuesThatAreNotFiniteAreAskedFor) {
  constexpr auto spoils = [](const asked_head& at) {
    const auto* element = static_cast<const std::uint32_t*>(at.call.query_in.data);
    return (element[1] & 0x7f800000) == 0x7f800000;  // dense: the second channel of the first head
  };
  const ropewalk_kernel kernel = wrong_where<spoils>();
  const example::encoding& from = example::encodings().front();
  const checked_rotation checked(kernel, promise::canonical, from.config, from.layout);
  law_case test_case = example::single_head(ROPEWALK_F32, 16, 5);
  for (std::size_t i = 0; i < 16; ++i) test_case.query[i] = example::bits_near(ROPEWALK_F32, 1);
  EXPECT_TRUE(measure(rotation_laws::non_finite, checked, test_case).holds);
  test_case.query[1] = format<float>::infinity;
  EXPECT_FALSE(measure(rotation_laws::non_finite, checked, test_case).holds);
}

TEST(Questions, ScaledValuesAreAskedFor) {
  constexpr auto is_large = [](const asked_head& at) {
    const auto* element = static_cast<const std::uint32_t*>(at.call.query_in.data);  // dense
    return (element[0] & 0x7fffffff) >= 0x3f800000;
  };
  const ropewalk_kernel kernel = wrong_where<is_large>();
  const example::encoding& from = example::encodings().front();
  const checked_rotation checked(kernel, promise::canonical, from.config, from.layout);
  law_case test_case = example::single_head(ROPEWALK_F32, 16, 5);
  for (std::size_t i = 0; i < 16; ++i) test_case.query[i] = example::bits_near(ROPEWALK_F32, 0.5);
  test_case.power = -2;
  EXPECT_TRUE(measure(rotation_laws::linearity, checked, test_case).holds);
  test_case.power = 2;
  EXPECT_FALSE(measure(rotation_laws::linearity, checked, test_case).holds);
}

/// cpu-table, but for one bit of the first channel of the query, or of the last one.
template <bool OfTheLast>
ropewalk_kernel with_a_wrong_channel() {
  ropewalk_kernel kernel = cpu_table_kernel();
  kernel.apply = [](const ropewalk_plan* plan, const ropewalk_head* head,
                    ropewalk_error* error) -> std::int32_t {
    const std::int32_t status = cpu_table_kernel().apply(plan, head, error);
    const auto call = read_struct<ropewalk_rotation_call>(head, ROPEWALK_ROTATE, "call");
    static_cast<std::uint32_t*>(call.query_out.data)[OfTheLast ? call.query_out.shape[3] - 1 : 0] ^= 1;
    return status;
  };
  return kernel;
}

TEST(Questions, TheLastChannelThatPassesThroughIsLookedAt) {
  const example::encoding& from = example::encodings().front();
  const checked_rotation kernel(with_a_wrong_channel<true>(), promise::canonical, from.config, from.layout);
  const law_case test_case = example::single_head(ROPEWALK_F32, 19, 5);
  EXPECT_FALSE(measure(rotation_laws::pass_through, kernel, test_case).holds);
}

TEST(Questions, ChannelsBeforeThoseThatRotateAreLookedAt) {
  const example::encoding& from = example::encodings().front();
  head_layout last = from.layout;
  last.head_dim = from.config.rotary_dim + 3;
  last.rotary_begin = 3;
  const law_case test_case = example::single_head(ROPEWALK_F32, last.head_dim, 5);
  const auto holds = [&](const ropewalk_kernel& kernel) {
    const checked_rotation checked(kernel, promise::canonical, from.config, last);
    return measure(rotation_laws::pass_through, checked, test_case).holds;
  };
  EXPECT_TRUE(holds(cpu_table_kernel()));
  EXPECT_FALSE(holds(with_a_wrong_channel<false>()));
}

/// Pairs rotated by each other's frequencies keep norms, and scores at one position.
TEST(Questions, ScoresAreOfPositionsApart) {
  ropewalk_kernel kernel = cpu_table_kernel();
  kernel.plan = [](const ropewalk_head* head, ropewalk_plan** plan, ropewalk_error* error) -> std::int32_t {
    auto encoding = read_struct<ropewalk_rotation>(head, ROPEWALK_ROTATE, "encoding");
    const auto last = static_cast<std::size_t>(encoding.rotary_dim / 2) - 1;
    std::vector<double> inv_freq(encoding.inv_freq, encoding.inv_freq + last + 1);
    std::swap(inv_freq[0], inv_freq[last]);
    std::vector<std::uint32_t> turns(encoding.turns, encoding.turns + 4 * (last + 1));
    std::swap_ranges(turns.begin(), turns.begin() + 4, turns.end() - 4);
    encoding.inv_freq = inv_freq.data();
    encoding.turns = turns.data();
    encoding.turns_256 = nullptr;
    return cpu_table_kernel().plan(&encoding.head, plan, error);
  };
  expect_seen(kernel, {"relative-position", "accuracy", "composition", "extrapolation"});
}

}  // namespace
}  // namespace ropewalk::questions_test
