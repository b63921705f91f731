#pragma once
// MPFR numbers as C++ values, each with its own precision, cleared by the destructor.

#include <mpfr.h>

#include <utility>

namespace ropewalk::oracle {

/// One MPFR number. Functions of mpfr.h take it directly: mpfr_add(sum, a, b, MPFR_RNDD).
class mpfr_number {
 public:
  explicit mpfr_number(mpfr_prec_t bits = 128) { mpfr_init2(value_, bits); }
  mpfr_number(mpfr_prec_t bits, double exact) : mpfr_number(bits) { mpfr_set_d(value_, exact, MPFR_RNDN); }
  mpfr_number(const mpfr_number& other) : mpfr_number(mpfr_get_prec(other.value_)) {
    mpfr_set(value_, other.value_, MPFR_RNDN);
  }
  mpfr_number(mpfr_number&& other) noexcept : mpfr_number(mpfr_prec_t{64}) {
    mpfr_swap(value_, other.value_);
  }
  mpfr_number& operator=(mpfr_number other) noexcept {
    mpfr_swap(value_, other.value_);
    return *this;
  }
  ~mpfr_number() { mpfr_clear(value_); }

  operator mpfr_ptr() { return value_; }           // NOLINT: converts for mpfr.h
  operator mpfr_srcptr() const { return value_; }  // NOLINT
  mpfr_prec_t bits() const { return mpfr_get_prec(value_); }

 private:
  mpfr_t value_;
};

/// Some real number that lies between two MPFR numbers, ends included.
struct bracket {
  mpfr_number low;
  mpfr_number high;
};

}  // namespace ropewalk::oracle
