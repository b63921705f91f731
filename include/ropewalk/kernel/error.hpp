#pragma once
// Errors of a kernel: C++ code throws; the C functions return a status and fill a ropewalk_error.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "ropewalk/kernel/kernel.h"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk {

/// A request that a kernel refuses: the field at fault, and one sentence with its value and what is allowed.
class refused_call : public std::invalid_argument {
 public:
  refused_call(std::string field, const std::string& text, std::int32_t status = ROPEWALK_INVALID_ARGUMENT)
      : std::invalid_argument(text), field_(std::move(field)), status_(status) {}

  /// Name of the field at fault; ropewalk_error::field holds a truncated copy if it is too long.
  const std::string& field() const noexcept { return field_; }
  /// The enum ropewalk_status that the C function returns.
  std::int32_t status() const noexcept { return status_; }

 private:
  std::string field_;
  std::int32_t status_;
};

/// A kernel's device, its driver or its loader is missing or failed.
struct device_failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The name of a field, owner.member[index]. The text is built only for a refusal.
struct field_name {
  std::string_view owner{};  // empty for the call's own fields
  std::string_view member{};
  int index = -1;

  /// "owner.member[index]", without the owner or the index if there is none.
  std::string text() const {
    std::string name(owner);
    if (!owner.empty()) name += '.';
    name += member;
    if (index >= 0) name += '[' + std::to_string(index) + ']';
    return name;
  }
};

/// Refuses a field.
///
/// throws  refused_call "FIELD WHY"
[[noreturn, gnu::cold]] inline void refuse_field(const field_name& field, const std::string& why) {
  throw refused_call(field.text(), field.text() + ' ' + why);
}

/// Declines a request that is well formed but not served.
///
/// throws  refused_call "FIELD WHY" with ROPEWALK_UNSUPPORTED
[[noreturn, gnu::cold]] inline void decline_field(const field_name& field, const std::string& why) {
  throw refused_call(field.text(), field.text() + ' ' + why, ROPEWALK_UNSUPPORTED);
}

[[noreturn, gnu::cold]] inline void refuse_value(const field_name& field, std::int64_t value,
                                                 const char* allowed) {
  refuse_field(field, "is " + std::to_string(value) + "; allowed: " + allowed);
}

// The checks below are always inlined, so that the name of a field is built only for a refusal.

/// Refuses a field unless `holds`.
///
/// throws  refused_call "FIELD is VALUE; allowed: WHAT"
[[gnu::always_inline]] inline void require_field(bool holds, const field_name& field, std::int64_t value,
                                                 const char* allowed) {
  if (!holds) [[unlikely]]
    refuse_value(field, value, allowed);
}

/// Refuses a null pointer.
///
/// throws  refused_call "FIELD is NULL; allowed: WHAT"
[[gnu::always_inline]] inline void require_pointer(const void* pointer, const field_name& field,
                                                   const char* allowed) {
  if (pointer == nullptr) [[unlikely]]
    refuse_field(field, std::string("is NULL; allowed: ") + allowed);
}

/// Refuses a pointer that is not aligned to its elements.
///
/// throws  refused_call "FIELD is misaligned; allowed: WHAT"
template <class Element>
[[gnu::always_inline]] inline void require_aligned(const Element* pointer, const field_name& field) {
  if (reinterpret_cast<std::uintptr_t>(pointer) % alignof(Element) != 0)
    refuse_field(field,
                 "is misaligned; allowed: a multiple of " + std::to_string(alignof(Element)) + " bytes");
}

/// The product a b.
///
/// throws  refused_call naming the field if the product overflows an int64
[[gnu::always_inline]] inline std::int64_t checked_multiply(std::int64_t a, std::int64_t b,
                                                            const field_name& field) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) refuse_field(field, "overflows the address space");
  return product;
}

/// The sum a + b.
///
/// throws  refused_call naming the field if the sum overflows an int64
[[gnu::always_inline]] inline std::int64_t checked_add(std::int64_t a, std::int64_t b,
                                                       const field_name& field) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) refuse_field(field, "overflows the address space");
  return sum;
}

/// Refuses a range of bytes, lowest <= offset < highest from `data`, that leaves the address space.
inline void require_addresses(const void* data, std::int64_t lowest, std::int64_t highest,
                              const field_name& field) {
  const auto address = reinterpret_cast<std::uintptr_t>(data);
  std::uintptr_t ignored = 0;
  if (__builtin_add_overflow(address, highest, &ignored) || __builtin_add_overflow(address, lowest, &ignored))
    refuse_field(field, "overflows the address space");
}

namespace detail {

template <std::size_t Size>
void copy_text(char (&to)[Size], std::string_view text) noexcept {
  const std::size_t length = text.copy(to, Size - 1);
  to[length] = '\0';
}

inline std::int32_t report(ropewalk_error* error, std::int32_t status, std::string_view field,
                           std::string_view text) noexcept {
  if (error != nullptr) {
    copy_text(error->field, field);
    copy_text(error->text, text);
  }
  return status;
}

/// Allocates nothing, so that reporting a failure cannot fail.
inline std::int32_t report_undecided(ropewalk_error* error, const char* what) noexcept {
  char text[sizeof error->text] = {};
  std::snprintf(text, sizeof text,
                "%.100s cannot be rounded correctly from the encoding's numbers; give turns_256", what);
  return report(error, ROPEWALK_UNDECIDED, "turns_256", text);
}

/// Turns the exception that is being handled into a status. Not a template, so that all kernels share one
/// copy.
[[gnu::noinline, gnu::cold]] inline std::int32_t report_exception(ropewalk_error* error) noexcept {
  try {
    throw;
  } catch (const refused_call& refusal) {
    return report(error, refusal.status(), refusal.field(), refusal.what());
  } catch (const undecided& failure) {
    return report_undecided(error, failure.what());
  } catch (const device_failure& failure) {
    return report(error, ROPEWALK_DEVICE_FAILED, "device", failure.what());
  } catch (const std::bad_alloc&) {
    return report(error, ROPEWALK_OUT_OF_MEMORY, "", "out of memory");
  } catch (const std::length_error&) {
    return report(error, ROPEWALK_OUT_OF_MEMORY, "", "out of memory");
  } catch (const std::exception& failure) {
    return report(error, ROPEWALK_INVALID_ARGUMENT, "", failure.what());
  } catch (...) {
    return report(error, ROPEWALK_INVALID_ARGUMENT, "", "unknown failure");
  }
}

}  // namespace detail

/// Runs the body of a C function and turns every exception into a status; fills `error` if it is not NULL.
///
/// shape   returns enum ropewalk_status
template <class Body>
std::int32_t answer(ropewalk_error* error, Body body) noexcept {
  try {
    body();
    return ROPEWALK_OK;
  } catch (...) {
    return detail::report_exception(error);
  }
}

}  // namespace ropewalk
