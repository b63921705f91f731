#pragma once
// The rows of a run of the benchmarks that figures compare, and how their kernels and dtypes look.

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

/// Forward rotations on one thread, all in the pairing that most of them have, without a kernel's versions
/// for single instruction sets.
measured_rows forward_rows(const measure::bench_record& record);

/// Those of them with the number of tokens that most have: rows whose times can be compared.
measured_rows comparable_rows(const measure::bench_record& record);

/// The dtypes of rows, widest first.
std::vector<std::string> dtypes_of(const measured_rows& rows);
measured_rows of_dtype(const measured_rows& rows, std::string_view dtype);

/// Labels of kernels, each once, canonical kernels first.
std::vector<std::string> kernels_of(const measured_rows& rows);

/// `colour` of legend entries that stand for marks of any colour: stone.
inline constexpr int neutral_colour = 7;

role role_of(measure::kernel_role role);
/// `colour` of a series for a dtype, or for kernel number `ordinal` of its role.
int colour_of_dtype(std::string_view dtype);
int colour_of_kernel(role role, std::size_t ordinal);

/// A kernel's label at a point: recipes without the word, which their marks say.
std::string short_label(const std::string& kernel);

/// What was measured, and where: "512 tokens of 32 heads, half-split, AMD EPYC".
std::string measured_where(const measure::bench_record& record, const measured_rows& rows);

/// Entries of the legend for the roles that are there, as marks without a colour.
void add_role_legend(panel& to, const measured_rows& rows);

}  // namespace ropewalk::plot
