#include "gpu/arithmetic.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "gpu/float_controls.hpp"
#include "gpu/shader_list.hpp"
#include "gpu/vulkan/commands.hpp"
#include "gpu/vulkan/error.hpp"
#include "ropewalk/numeric/float_arithmetic.hpp"

namespace ropewalk::vulkan {
namespace {

constexpr std::uint32_t probe_words[] = {
#include "gpu/shaders/probe.inc"
};

constexpr std::uint32_t infinite = format<float>::infinity;
constexpr std::uint32_t largest = infinite - 1;

/// Zeros, subnormals, the smallest normal numbers, ordinary numbers, the largest, and infinities, each with
/// both signs; and a NaN.
std::vector<std::uint32_t> probed_numbers() {
  std::vector<std::uint32_t> numbers{format<float>::quiet_nan};
  for (const std::uint32_t magnitude :
       {0x00000000u, 0x00000001u, 0x00000003u, 0x00012345u, 0x003fffffu, 0x00400000u, 0x007fffffu,
        0x00800000u, 0x00800001u, 0x00ffffffu, 0x01000000u, 0x0c800000u, 0x1f000001u, 0x20345678u,
        0x33800000u, 0x3f000000u, 0x3f7fffffu, 0x3f800000u, 0x3f800001u, 0x40490fdbu, 0x4b7fffffu,
        0x4b800001u, 0x5f000003u, 0x7e800000u, largest,     infinite})
    numbers.insert(numbers.end(), {magnitude, magnitude | format<float>::sign_bit});
  return numbers;
}

bool is_subnormal(std::uint32_t bits) {
  const std::uint32_t magnitude = bits & ~std::uint32_t{format<float>::sign_bit};
  return magnitude != 0 && magnitude < 0x00800000u;
}

bool is_finite_non_zero(std::uint32_t bits) {
  return is_finite<float>(bits) && (bits & ~std::uint32_t{format<float>::sign_bit}) != 0;
}

struct operands {
  std::uint32_t a;
  std::uint32_t b;
};

/// Product, sum and difference of a pair, correctly rounded.
std::array<std::uint32_t, 3> expected_results(const operands& pair) {
  return {multiply<float>(pair.a, pair.b), add<float>(pair.a, pair.b), subtract<float>(pair.a, pair.b)};
}

/// The same of each pair, computed on the device.
std::vector<std::uint32_t> device_results(device& device, const std::vector<operands>& pairs) {
  const std::vector<std::uint32_t> words = with_float_controls(probe_words, device.description().float32);
  const pipeline probe(device, shader_of<probe_call>(words, 3));
  const std::size_t bytes = pairs.size() * sizeof(std::uint32_t);
  const buffer a(device, bytes, memory_kind::upload), b(device, bytes, memory_kind::upload);
  const buffer results(device, 3 * bytes, memory_kind::read_back);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    a.as<std::uint32_t>()[i] = pairs[i].a;
    b.as<std::uint32_t>()[i] = pairs[i].b;
  }
  a.flush();
  b.flush();
  commands work(device);
  const buffer_range ranges[] = {{&a}, {&b}, {&results}};
  const probe_call call{.count = static_cast<std::uint32_t>(pairs.size())};
  work.dispatch(probe, ranges, std::as_bytes(std::span(&call, 1)), groups_of(call.count));
  work.run();
  results.invalidate();
  const auto* first = results.as<std::uint32_t>();
  return {first, first + 3 * pairs.size()};
}

}  // namespace

std::string_view name_of(assurance assurance) {
  switch (assurance) {
    case assurance::promised: return "promised";
    case assurance::observed: return "observed";
    case assurance::missing: break;
  }
  return "missing";
}

arithmetic arithmetic_of(device& device) {
  std::vector<operands> pairs;
  const std::vector<std::uint32_t> numbers = probed_numbers();
  for (const std::uint32_t a : numbers)
    for (const std::uint32_t b : numbers) pairs.push_back({a, b});
  const std::vector<std::uint32_t> results = device_results(device, pairs);
  bool keeps_subnormals = true, keeps_special = true, rounds_correctly = true;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto expected = expected_results(pairs[i]);
    for (std::size_t k = 0; k < expected.size(); ++k) {
      if (same_bits<float>(expected[k], results[3 * i + k])) continue;
      const auto [a, b] = pairs[i];
      if (is_subnormal(a) || is_subnormal(b) || is_subnormal(expected[k]))
        keeps_subnormals = false;
      else if (!is_finite_non_zero(a) || !is_finite_non_zero(b) || !is_finite_non_zero(expected[k]))
        keeps_special = false;
      else
        rounds_correctly = false;
    }
  }
  if (!rounds_correctly)
    throw device_error("device " + device.description().name +
                       " promises to round to nearest even, but does not");
  const auto assured = [&](bool is_promised, bool is_observed) {
    if (is_promised && !is_observed)
      throw device_error("device " + device.description().name +
                         " declares that it preserves subnormals, signed zeros, infinities and NaN, "
                         "but does not");
    return is_promised ? assurance::promised : is_observed ? assurance::observed : assurance::missing;
  };
  const float_controls& controls = device.description().float32;
  return {assured(controls.preserves_denormals, keeps_subnormals),
          assured(controls.preserves_signed_zero_inf_nan, keeps_special)};
}

}  // namespace ropewalk::vulkan
