#pragma once
// Correctly rounded cosine and sine of a floating-point angle, so that recipes give the same bits on every
// machine; the C library's cosf does not.

#include <span>

namespace ropewalk::recipe {

template <class Float>
struct cos_sin_of {
  Float cos;
  Float sin;
};

/// Cosine and sine correctly rounded to binary32. The C library computes them in binary64, assumed to be
/// within 4 ulp; exact arithmetic decides if that error leaves the rounding undecided.
///
/// units   radians; an angle that is not finite gives NaN, a zero (1, itself)
/// throws  undecided at the cap of Ziv's loop
cos_sin_of<float> nearest_cos_sin(float angle);

/// The same for several angles, by vector arithmetic where its rounding test decides.
///
/// shape   cos, sin [angles], either of which may be the angles' own memory
void nearest_cos_sin(std::span<const float> angles, float* cos, float* sin);

/// Cosine and sine correctly rounded to binary64, by exact arithmetic.
cos_sin_of<double> nearest_cos_sin(double angle);

/// Cosine and sine correctly rounded to binary64, multiplied by `factor` in binary64, and the product rounded
/// to binary32. The C library computes them unless its error leaves the rounding to binary32 undecided.
cos_sin_of<float> nearest_cos_sin_narrowed(double angle, double factor);

}  // namespace ropewalk::recipe
