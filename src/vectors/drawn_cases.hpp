#pragma once
// Builds the calls of the pack. Elements come from fixed seeds, so that the same program makes the same pack.

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "ropewalk/numeric/format.hpp"
#include "vectors/pack.hpp"

namespace ropewalk::vectors {

/// A call with elements drawn from a seed.
struct drawn_call {
  std::int64_t batch = 1;
  std::int64_t tokens = 1;
  std::int64_t heads = 1;
  std::vector<double> positions{};  // [axes][batch][tokens]
  bool is_real = false;
  std::uint32_t flags = 0;  // flags of kernel.h
};

/// A case of a group, on all of the model's axes if it is a rotation. Elements have either sign and
/// magnitudes from 2^-3 to 2.
call_case drawn(const call_group& group, const drawn_call& call, std::vector<std::string_view> flags);

/// A case of one token and one head, whose elements are 0 except the given ones: channel and bits.
call_case listed(const call_group& group, double position,
                 const std::vector<std::pair<int, std::uint64_t>>& elements,
                 std::vector<std::string_view> flags);

/// Every dtype narrower than binary64.
std::vector<ropewalk_dtype> narrow_dtypes();

/// The bits of a small whole number or a power of two in a dtype.
std::uint64_t bits_in(ropewalk_dtype dtype, double exact);

/// Adds cases of unusual elements: subnormal, infinite, NaN, zeros, large.
void add_unusual_elements(call_group& to, double position);

/// Adds cases of 16-bit data whose canonical binary32 result is halfway between two numbers of the format.
void add_rounding_ties(call_group& to, double position);

/// A position at which engines differ, with its flags.
struct flagged_position {
  double position;
  std::vector<std::string_view> flags;
};

/// Positions up to a context: small ones, those next to powers of two, and the last one. If `is_open`, also
/// beyond it: 2^24 + 1, 2^31 - 1, and negative ones.
std::vector<flagged_position> decisive_positions(std::int64_t context, bool is_open);

/// A model of the catalogue as in the pack: at a length if its rule needs one; 0: none.
verify::rotation_subject subject_of(std::string_view model, std::int64_t seq_len = 0,
                                    std::string_view layer = {});
/// A model given by hand; `scaling` is a rope_scaling block.
verify::rotation_subject subject_by_hand(double base, int head_dim, int rotary_dim, pairing layout,
                                         std::string_view scaling = {}, int rotary_begin = 0);

}  // namespace ropewalk::vectors
