// rotary_dim = floor(RN64(head_dim x partial_rotary_factor)) for every head_dim and factor that models could
// have: read from JSON text, against MPFR's own rounding of decimal and product, and against what Python
// computes.

#include <gtest/gtest.h>
#include <mpfr.h>

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "model/model.hpp"
#include "oracle/mpfr_number.hpp"

namespace ropewalk::model::rotary_dim_test {
namespace {

constexpr int smallest_head_dim = 32;
constexpr int largest_tried_head_dim = 512;

/// 0.01, 0.02, ... 1 as JSON spells them.
std::string hundredths(int count) {
  char text[16];
  std::snprintf(text, sizeof text, "%g", count / 100.0);
  return text;
}

std::int64_t floor_of_rounded_product(int head_dim, const std::string& factor) {
  oracle::mpfr_number product(53);
  mpfr_set_str(product, factor.c_str(), 10, MPFR_RNDN);
  mpfr_mul_ui(product, product, static_cast<unsigned long>(head_dim), MPFR_RNDN);
  return mpfr_get_si(product, MPFR_RNDD);
}

/// The rotary_dim of a configuration, or the one that its refusal names.
///
/// throws  std::invalid_argument when the refusal does not name rotary_dim, head_dim and factor
std::int64_t read_rotary_dim(int head_dim, const std::string& factor) {
  const std::string text = R"({"model_type": "nemotron", "rope_theta": 10000, "head_dim": )" +
                           std::to_string(head_dim) + R"(, "partial_rotary_factor": )" + factor + "}";
  try {
    const int accepted = parse_model(text, "config.json").encoding.rotary_dim;
    EXPECT_TRUE(accepted != 0 && accepted % 2 == 0) << accepted << " of " << text;
    return accepted;
  } catch (const std::invalid_argument& refusal) {
    const std::string what = refusal.what(), named = "rotary_dim is ";
    const std::string formula = " = floor(head_dim " + std::to_string(head_dim) + " x " + factor + ");";
    if (!what.starts_with(named) || what.find(formula) == std::string::npos) throw;
    const std::int64_t refused = std::stoll(what.substr(named.size()));
    if (refused != 0 && refused % 2 == 0) throw;
    return refused;
  }
}

/// FNV-1a over both bytes of every number.
class digest {
 public:
  void take(std::int64_t number) {
    for (const std::int64_t byte : {number & 255, number >> 8 & 255})
      state_ = (state_ ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3;
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325;
};

// tests/model/rotary_dim_test.py computes it from int(head_dim * factor) and compares it with this line.
constexpr std::uint64_t digest_by_python = 0xc33291c3dc4a5084;

TEST(RotaryDim, IsTheFloorOfTheRoundedProductForEveryHeadDimAndHundredth) {
  digest digest;
  int not_exact = 0;
  for (int head_dim = smallest_head_dim; head_dim <= largest_tried_head_dim; ++head_dim)
    for (int count = 1; count <= 100; ++count) {
      const std::string factor = hundredths(count);
      const std::int64_t rotary_dim = read_rotary_dim(head_dim, factor);
      ASSERT_EQ(rotary_dim, floor_of_rounded_product(head_dim, factor)) << head_dim << " x " << factor;
      digest.take(rotary_dim);
      not_exact += rotary_dim != head_dim * count / 100;
    }
  EXPECT_EQ(digest.value(), digest_by_python);
  EXPECT_GT(not_exact, 0);  // some products differ from the exact ones, or rounding would go untested
}

TEST(RotaryDim, OddOrZeroIsRefused) {
  EXPECT_THROW(
      parse_model(R"({"model_type": "nemotron", "head_dim": 50, "partial_rotary_factor": 0.5})", "c"),
      std::invalid_argument);
  EXPECT_EQ(read_rotary_dim(50, "0.5"), 25);
  EXPECT_EQ(read_rotary_dim(32, "0.01"), 0);
  EXPECT_EQ(read_rotary_dim(80, "0.3"), 24);  // 0.3 is below 3/10, and the product rounds up to 24
}

}  // namespace
}  // namespace ropewalk::model::rotary_dim_test
