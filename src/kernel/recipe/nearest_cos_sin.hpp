#pragma once
// Cosine and sine of a floating-point angle, correctly rounded: recipes give the same bits on every machine,
// which the C library's cosf does not.

namespace ropewalk::recipe {

template <class Float>
struct cos_sin_of {
  Float cos;
  Float sin;
};

/// Correctly rounded to binary32. Evaluated in binary64; where the four units in the last place that the C
/// library's cos and sin are allowed leave the rounding open, exactly.
///
/// units   radians; an angle that is not finite gives NaN, a zero (1, itself)
/// throws  undecided at the cap of Ziv's loop
cos_sin_of<float> nearest_cos_sin(float angle);

/// Correctly rounded to binary64, by exact arithmetic.
cos_sin_of<double> nearest_cos_sin(double angle);

/// Correctly rounded to binary64, multiplied by `factor` in binary64, and that rounded to binary32. Nearly
/// always from the C library's values, as above.
cos_sin_of<float> nearest_cos_sin_narrowed(double angle, double factor);

}  // namespace ropewalk::recipe
