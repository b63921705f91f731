"""Changes of functions: constants, exponentials and logarithms, powers, sines and cosines."""

from runner import Mutation

FUNCTION = "include/ropewalk/function/"
CONSTANTS = "function/constants_test.cpp: Constants/0."
EXP_LOG = "function/exp_log_test.cpp: ExpLog/0."
POWER = "function/power_test.cpp: Power/0."
SIN_COS = "function/sin_cos_test.cpp: SinCos/0."

MUTATIONS = [
    Mutation("atan: the signs of its series", FUNCTION + "constants.hpp", "odd % 4 == 1)", "odd % 4 == 3)",
             CONSTANTS + "PiContainsTheTruthTightly"),
    Mutation("pi: another arc", FUNCTION + "constants.hpp", "arc_tangent_of_inverse<N + 1>(239, false, when);",
             "arc_tangent_of_inverse<N + 1>(238, false, when);", CONSTANTS + "PiContainsTheTruthTightly"),
    Mutation("ln 2: a term is added", FUNCTION + "constants.hpp", "times(a, 18) - times(b, 2)", "times(a, 18) + times(b, 2)",
             CONSTANTS + "Ln2ContainsTheTruthTightly"),
    Mutation("1 / (2 pi): 1 / (4 pi)", FUNCTION + "constants.hpp", "times_power_of_two(compute_pi<N>(when), 1);",
             "times_power_of_two(compute_pi<N>(when), 2);", CONSTANTS + "InverseTwoPiContainsTheTruthTightly"),
    Mutation("exp: its argument's error is forgotten", FUNCTION + "exp_log.hpp",
             "times_power_of_two(x.error + rest.error + below, 3);", "times_power_of_two(rest.error + below, 3);",
             EXP_LOG + "ExpContainsTheTruth"),
    Mutation("exp: of a large number", FUNCTION + "exp_log.hpp", "top_exponent(x.midpoint) > 20)",
             "top_exponent(x.midpoint) > 50)", EXP_LOG + "NamedValues"),
    Mutation("exp: of an error of one", FUNCTION + "exp_log.hpp", "!(x.error < radius{std::uint32_t{1} << 31, -32}))",
             "!(x.error < radius{std::uint32_t{1} << 31, 32}))", EXP_LOG + "NamedValues"),
    Mutation("exp: one halving less", FUNCTION + "exp_log.hpp", "times_power_of_two(rest, -halvings - 1)",
             "times_power_of_two(rest, -halvings)", EXP_LOG + "ExpContainsTheTruth"),
    Mutation("log: of a negative number", FUNCTION + "exp_log.hpp",
             "if (x.midpoint.negative || may_be_zero(x)) return unbounded<N>();",
             "if (may_be_zero(x)) return unbounded<N>();", EXP_LOG + "NamedValues"),
    Mutation("log: of zero", FUNCTION + "exp_log.hpp", "if (x.midpoint.negative || may_be_zero(x)) return unbounded<N>();",
             "if (x.midpoint.negative) return unbounded<N>();", EXP_LOG + "NamedValues"),
    Mutation("log: its argument's error is forgotten", FUNCTION + "exp_log.hpp",
             "if (!is_exact(x)) r.error = r.error + x.error / magnitude_below(x);", "", EXP_LOG + "LogContainsTheTruth"),
    Mutation("log: odd terms are even ones", FUNCTION + "exp_log.hpp", "for (std::uint64_t odd = 3; !is_zero(term.value); odd += 2) {",
             "for (std::uint64_t odd = 2; !is_zero(term.value); odd += 2) {", EXP_LOG + "LogContainsTheTruth"),
    Mutation("power: what is near is exact", FUNCTION + "power.hpp",
             "return is_exact(left) && is_exact(right) && compare(left, right) == order::equal;", "return true;",
             POWER + "PerfectPowersAreExact"),
    Mutation("power: nothing is exact", FUNCTION + "power.hpp",
             "return is_exact_power(candidate, x, numerator, denominator) ? candidate : r;", "return r;",
             POWER + "PerfectPowersAreExact"),
    Mutation("power: the first bit twice", FUNCTION + "power.hpp", "r = first ? x : r * x;", "r = r * x * x;",
             POWER + "WholeExponentsContainTheTruth"),
    Mutation("power: one more squaring of every bit", FUNCTION + "power.hpp", "if ((exponent & 1) != 0) {",
             "if ((exponent & 2) != 0) {", POWER + "WholeExponentsContainTheTruth"),
    Mutation("sine: of one quarter", FUNCTION + "sin_cos.hpp", "case 1: return {-r.sin, r.cos};",
             "case 1: return {r.sin, r.cos};", SIN_COS + "TurnsContainTheTruthBesideQuarters"),
    Mutation("sine: of three quarters", FUNCTION + "sin_cos.hpp", "default: return {r.sin, -r.cos};",
             "default: return {-r.sin, -r.cos};", SIN_COS + "TurnsContainTheTruthBesideQuarters"),
    Mutation("sine: its argument's error is forgotten", FUNCTION + "sin_cos.hpp", "r.sin.error = r.sin.error + x.error;", "",
             SIN_COS + "TurnsContainTheTruth"),
    Mutation("cosine: its argument's error is forgotten", FUNCTION + "sin_cos.hpp", "r.cos.error = r.cos.error + x.error;",
             "", SIN_COS + "TurnsContainTheTruth"),
    Mutation("sine: factorials", FUNCTION + "sin_cos.hpp", "term = term * square / (k * (k + 1));",
             "term = term * square / (k * (k + 2));", SIN_COS + "TurnsContainTheTruth"),
    Mutation("sine: the error of turns is forgotten", FUNCTION + "sin_cos.hpp",
             "const enclosure<N> rest{split.rest, turns.error};", "const enclosure<N> rest{split.rest, {}};",
             SIN_COS + "TurnsContainTheTruth"),
    Mutation("sine: small angles lose their precision", FUNCTION + "sin_cos.hpp", "middle * (one - enclose<N>(rest))}",
             "middle - enclose<N>(rest) * middle + (one - one) + times_power_of_two(one, -64 * N) - times_power_of_two(one, -64 * N)}",
             SIN_COS + "ExactTurnsLoseFewBits"),
]
