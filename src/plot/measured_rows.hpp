#pragma once
// The benchmark rows that figures compare, and the look of their kernels and dtypes.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "measure/bench_record.hpp"
#include "plot/figure.hpp"
#include "plot/figures.hpp"

namespace ropewalk::plot {

using measured_rows = std::vector<const measure::bench_row*>;

/// The record of a figure that needs one.
///
/// throws  bad_input naming bench
const measure::bench_record& record_of(const subject& subject);

/// Forward rotations on one thread, all in the most frequent pairing, without a kernel's versions for single
/// instruction sets.
measured_rows forward_rows(const measure::bench_record& record);

/// Those of forward_rows with the most frequent number of tokens: their times are comparable.
measured_rows comparable_rows(const measure::bench_record& record);

/// The dtypes of rows, the widest first.
std::vector<std::string> dtypes_of(const measured_rows& rows);
measured_rows of_dtype(const measured_rows& rows, std::string_view dtype);

/// Labels of kernels without repetition, canonical kernels first.
std::vector<std::string> kernels_of(const measured_rows& rows);

/// `colour` of legend entries for marks of any colour: stone.
inline constexpr int neutral_colour = 7;

role role_of(measure::kernel_role role);
/// `colour` of a series for a dtype, or for kernel number `ordinal` of its role.
int colour_of_dtype(std::string_view dtype);
int colour_of_kernel(role role, std::size_t ordinal);

/// A kernel's label at a point; drops the word "recipe", which the mark shows.
std::string short_label(const std::string& kernel);

/// Measured work and machine: "512 tokens of 32 heads, half-split, AMD EPYC".
std::string measured_where(const measure::bench_record& record, const measured_rows& rows);

/// Adds legend entries for the roles of the rows, as marks without a colour.
void add_role_legend(panel& to, const measured_rows& rows);

}  // namespace ropewalk::plot
