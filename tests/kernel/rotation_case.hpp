#pragma once
// A test case of a rotation, and its expected result by plain loops over the mirror, with rows made from the
// configuration itself.

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "kernel/strided_buffer.hpp"
#include "ropewalk/config/head_layout.hpp"
#include "ropewalk/config/rope.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/kernel/resolved.hpp"
#include "ropewalk/kernel/rotation.hpp"
#include "ropewalk/table/rope_rows.hpp"

namespace ropewalk::test {

struct rotation_case {
  rope encoding{.base = 10000, .rotary_dim = 8};
  head_layout layout{.head_dim = 8};
  ropewalk_dtype dtype = ROPEWALK_F32;
  std::int64_t batch = 1;
  std::int64_t tokens = 3;
  std::int64_t query_heads = 2;
  std::int64_t key_heads = 1;  // 0: no key
  arrangement how = arrangement::dense;
  bool in_place = false;
  std::uint32_t flags = 0;
  std::vector<std::int32_t> positions{};  // [batch][tokens]; empty: counted from 0
  position_range often{};
  std::string config_json{};  // for a kernel that forms its own frequencies
};

struct tensors {
  std::vector<std::uint64_t> query;
  std::vector<std::uint64_t> key;
  friend bool operator==(const tensors&, const tensors&) = default;
};

inline std::size_t element_count(const rotation_case& rotation, std::int64_t heads) {
  return static_cast<std::size_t>(rotation.batch * rotation.tokens * heads * rotation.layout.head_dim);
}

/// A random element: any bit pattern, near 1, subnormal, a signed zero, or not finite.
template <floating_format Float>
std::uint64_t random_element(std::mt19937_64& random) {
  using traits = format<Float>;
  const auto bits = static_cast<bits_of<Float>>(random());
  const auto item = static_cast<bits_of<Float>>(bits_of<Float>{traits::bias} << (traits::precision - 1));
  const auto fraction = static_cast<bits_of<Float>>(bits & (traits::fraction_mask | traits::sign_bit));
  switch (random() % 8) {
    case 0: return bits;
    case 1: return fraction;  // subnormal
    case 2: return random() % 4 == 0 ? static_cast<bits_of<Float>>(fraction | traits::infinity) : fraction;
    case 3: return bits & traits::sign_bit;
    default: return static_cast<bits_of<Float>>(fraction | item);
  }
}

inline std::vector<std::uint64_t> random_elements(ropewalk_dtype dtype, std::size_t count,
                                                  std::mt19937_64& random) {
  std::vector<std::uint64_t> elements(count);
  with_format(dtype, [&]<class Float>() {
    for (std::uint64_t& element : elements) element = random_element<Float>(random);
  });
  return elements;
}

inline tensors random_tensors(const rotation_case& rotation, std::mt19937_64& random) {
  return {random_elements(rotation.dtype, element_count(rotation, rotation.query_heads), random),
          random_elements(rotation.dtype, element_count(rotation, rotation.key_heads), random)};
}

/// The canonical bits of one tensor.
template <floating_format Float>
std::vector<std::uint64_t> canonical(const rotation_case& rotation, const std::vector<std::uint64_t>& in,
                                     std::int64_t heads) {
  using wide = rotation_format<Float>;
  const rope_rows rows(rotation.encoding);
  const auto pairs = static_cast<std::size_t>(rows.pairs());
  std::vector<bits_of<wide>> cos(pairs), sin(pairs);
  std::vector<std::uint64_t> out = in;
  for (std::int64_t token = 0; token < rotation.batch * rotation.tokens; ++token) {
    const std::int64_t position = rotation.positions.empty()
                                      ? token % rotation.tokens
                                      : rotation.positions[static_cast<std::size_t>(token)];
    rows.row<wide>(position, (rotation.flags & ROPEWALK_UNIT) != 0, cos.data(), sin.data());
    for (std::int64_t head = token * heads; head < (token + 1) * heads; ++head)
      for (int pair = 0; pair < rows.pairs(); ++pair) {
        const auto channel = [&](int c) {
          return static_cast<std::size_t>(head * rotation.layout.head_dim + rotation.layout.rotary_begin + c);
        };
        const channel_pair from = channels_of(pair, rotation.encoding.rotary_dim, rotation.layout.pairing_in);
        const channel_pair to = channels_of(pair, rotation.encoding.rotary_dim, rotation.layout.pairing_out);
        bits_pair<wide> entry{cos[static_cast<std::size_t>(pair)], sin[static_cast<std::size_t>(pair)]};
        if ((rotation.flags & ROPEWALK_BACKWARD) != 0) entry = backward<wide>(entry);
        const auto y = rotate_pair<Float>({static_cast<bits_of<Float>>(in[channel(from.first)]),
                                           static_cast<bits_of<Float>>(in[channel(from.second)])},
                                          entry);
        out[channel(to.first)] = y.first;
        out[channel(to.second)] = y.second;
      }
  }
  return out;
}

inline tensors canonical(const rotation_case& rotation, const tensors& in) {
  return with_format(rotation.dtype, [&]<class Float>() {
    return tensors{canonical<Float>(rotation, in.query, rotation.query_heads),
                   canonical<Float>(rotation, in.key, rotation.key_heads)};
  });
}

/// A plan that the destructor frees.
class planned {
 public:
  template <class Encoding>
  requires requires(const Encoding& encoding) { encoding.head; }
  planned(const ropewalk_kernel& kernel, const Encoding& encoding) : kernel_(kernel) {
    status = kernel.plan(&encoding.head, &plan_, &error);
  }
  planned(const ropewalk_kernel& kernel, const rotation_case& rotation)
      : planned(kernel,
                resolved_encoding(rotation.encoding, rotation.layout, rotation.often, rotation.config_json)
                    .view()) {}
  ~planned() { kernel_.free_plan(plan_); }
  planned(const planned&) = delete;
  planned& operator=(const planned&) = delete;

  template <class Call>
  std::int32_t apply(const Call& call) const {
    return kernel_.apply(plan_, &call.head, &error);
  }
  const ropewalk_plan* plan() const { return plan_; }

  std::int32_t status = ROPEWALK_OK;
  mutable ropewalk_error error{};

 private:
  ropewalk_kernel kernel_;
  ropewalk_plan* plan_ = nullptr;
};

/// Memory of all four tensors, and a call that refers to them.
class laid_out {
 public:
  laid_out(const rotation_case& rotation, const tensors& in)
      : query_in_(rotation.dtype,
                  {rotation.batch, rotation.tokens, rotation.query_heads, rotation.layout.head_dim},
                  rotation.how),
        query_out_(query_in_),
        key_in_(rotation.dtype,
                {rotation.batch, rotation.tokens, rotation.key_heads, rotation.layout.head_dim},
                rotation.how),
        key_out_(key_in_),
        in_place_(rotation.in_place) {
    query_in_.write(in.query);
    key_in_.write(in.key);
    call.flags = rotation.flags;
    call.query_in = tensor_of(query_in_, rotation);
    call.query_out = in_place_ ? call.query_in : tensor_of(query_out_, rotation);
    if (rotation.key_heads > 0) {
      call.key_in = tensor_of(key_in_, rotation);
      call.key_out = in_place_ ? call.key_in : tensor_of(key_out_, rotation);
    }
    if (!rotation.positions.empty())
      call.tokens.positions = given_positions(rotation.positions.data(), {0, rotation.tokens, 1});
    call.tokens.end = rotation.batch * rotation.tokens;
  }

  tensors read() { return {out(query_in_, query_out_).read(), out(key_in_, key_out_).read()}; }
  bool guards_are_intact() {
    return out(query_in_, query_out_).guard_is_intact() && out(key_in_, key_out_).guard_is_intact();
  }

  ropewalk_rotation_call call = empty_call<rotate>();

 private:
  static ropewalk_tensor tensor_of(strided_buffer& buffer, const rotation_case& rotation) {
    ropewalk_tensor tensor = buffer.tensor();
    tensor.dtype = rotation.dtype;
    return tensor;
  }
  strided_buffer& out(strided_buffer& in, strided_buffer& other) { return in_place_ ? in : other; }

  strided_buffer query_in_, query_out_, key_in_, key_out_;
  bool in_place_;
};

/// Index of the first element that differs (every NaN equals every NaN), or -1.
inline std::int64_t first_difference(ropewalk_dtype dtype, const std::vector<std::uint64_t>& a,
                                     const std::vector<std::uint64_t>& b) {
  return with_format(dtype, [&]<class Float>() -> std::int64_t {
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!same_bits<Float>(static_cast<bits_of<Float>>(a[i]), static_cast<bits_of<Float>>(b[i])))
        return static_cast<std::int64_t>(i);
    return -1;
  });
}

}  // namespace ropewalk::test
