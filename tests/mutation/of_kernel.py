"""Changes of the kernels of a processor: the exact one, rotations and ALiBi."""

from runner import Mutation

KERNEL = "src/kernel/"
TURNS, TABLE = KERNEL + "cpu_turns.cpp", KERNEL + "cpu_table.cpp"
ALIBI = KERNEL + "alibi_add.cpp"
EXACT = "kernel/exact_test.cpp: Exact"
BIAS = "kernel/alibi_addition_test.cpp: Kernels/CpuAlibiAdd."
ROTATION = "kernel/cpu_rotation_test.cpp: Kernels/CpuRotation."
LONE = "kernel/cpu_kernels_test.cpp: "
AXES = "kernel/rope_axes_test.cpp: RopeAxesKernel."
REFUSED = "kernel/refusal_test.cpp: Refusal."
CHANNELS = "include/ropewalk/kernel/turn_channels.hpp"
FROM_FIRST = ROTATION + "TurnsFromTheFirstChannelThatRotates/CpuTurns"

MUTATIONS = [
    Mutation("exact: backward is forward", KERNEL + "exact.cpp", "if (angle.backward) result.sin = -result.sin;", "",
             EXACT + "/1.OutputsAreNearestToTheTruthOfMpfr"),
    Mutation("exact: infinities without signs", KERNEL + "exact.cpp", "(is_negative<Float>(bits) ? -sign : sign)",
             "sign",
             EXACT + "Infinity.FollowsTheSignsOfCosineAndSine"),
    Mutation("exact: infinity minus infinity", KERNEL + "exact.cpp", "if (sum == 0) return traits::quiet_nan;", "",
             EXACT + "Infinity.FollowsTheSignsOfCosineAndSine"),
    Mutation("exact: infinities turn the other way", KERNEL + "exact.cpp",
             "combine_infinite<Float>(x, signs.cos, -signs.sin)",
             "combine_infinite<Float>(x, signs.cos, signs.sin)", EXACT + "Infinity.FollowsTheSignsOfCosineAndSine"),
    Mutation("exact: the first limbs decide", KERNEL + "exact.cpp", "round_pair<Float>(x, point); quick.decided)",
             "round_pair<Float>(x, point); true)",
             EXACT + "Plan.TurnsOf128BitsServeBinary32AndSayWhenTheyCannotServeBinary64"),
    Mutation("exact: all pairs of the first axis", KERNEL + "exact.cpp", "const int axis = plan_.axis[pair];",
             "const int axis = 0;",
             "kernel/exact_test.cpp: ExactAxes.EachPairTakesItsAxissPosition"),
    Mutation("alibi: queries share one row", ALIBI, "-static_cast<std::ptrdiff_t>(sizeof(Lane))", "0",
             BIAS + "QueriesInStretchesOfEveryLengthShareEntries/CpuAlibiAdd"),
    Mutation("alibi: one position off", ALIBI, "fill(head, begin - plan_.origin_of(batch.last(), keys),",
             "fill(head, begin + 1 - plan_.origin_of(batch.last(), keys),",
             BIAS + "GivesTheMirrorsBitsForHeadsOfAnyNumber/CpuAlibiAdd"),
    Mutation("alibi: undecided entries stay", ALIBI, "for (int i = 0; i < listed; ++i) to[at + undecided[i]]",
             "for (int i = 0; i < listed - 1; ++i) to[at + undecided[i]]",
             BIAS + "SlopesThatAreNoPowersOfTwoRoundOnce/CpuAlibiAdd"),
    Mutation("alibi: every exact slope is a power of two", ALIBI,
             "return is_exact(slope) && slope.midpoint.significand == highest_bit;", "return is_exact(slope);",
             BIAS + "SlopesThatAreNoPowersOfTwoRoundOnce/CpuAlibiAdd"),
    Mutation("alibi: stretches begin where the batch ends", ALIBI,
             "entries.data() + (batch.last() - stretch.position),",
             "entries.data(),", BIAS + "QueriesInStretchesOfEveryLengthShareEntries/CpuAlibiAdd"),
    Mutation("alibi: never symmetric", ALIBI, "{bounds_[h], begin, plan_.is_symmetric}", "{bounds_[h], begin, false}",
             BIAS + "GivesTheMirrorsBitsForHeadsOfAnyNumber/CpuAlibiAdd"),
    Mutation("alibi: the first block of keys alone", ALIBI, "fill(head, begin - plan_.origin_of(batch.last(), keys),",
             "fill(head, -plan_.origin_of(batch.last(), keys),",
             BIAS + "RunsLongerThanOneOfTheVectorsJoin/CpuAlibiAdd"),
    Mutation("alibi: the last key is one further", "include/ropewalk/kernel/bias_plan.hpp", "return keys - 1;", "return keys;",
             BIAS + "GivesTheMirrorsBitsForHeadsOfAnyNumber/CpuAlibiAdd"),
    Mutation("alibi: queries of a form by the key have rows of their own", ALIBI, "if (plan_.is_by_key())\n            adder",
             "if (false)\n            adder", BIAS + "GivesTheMirrorsBitsForHeadsOfAnyNumber/CpuAlibiAdd"),
    Mutation("slope bounds: none of short sums", KERNEL + "slope_bounds.hpp",
             "static_cast<float>(rest + short_spread);",
             "static_cast<float>(rest - short_spread);", BIAS + "SlopesThatAreNoPowersOfTwoRoundOnce/CpuAlibiAdd",
             ALIBI),
    Mutation("table: one position after its end", TABLE, "position < plan_.often.end)", "position <= plan_.often.end)",
             ROTATION + "RowsOfTheTableAndRowsOnTheSpotAreTheSame/CpuTable"),
    Mutation("table: from its second row", TABLE, "(position - plan_.often.begin) * plan_.layout.pairs();",
             "(position + 1 - plan_.often.begin) * plan_.layout.pairs();",
             ROTATION + "RowsOfTheTableAndRowsOnTheSpotAreTheSame/CpuTable"),
    Mutation("table: of any size", TABLE, "require_field(size(plan_.often) <= most_rows,", "require_field(true,",
             LONE + "CpuTable.RefusesATableOfMoreThanAGibibyte"),
    Mutation("turns: binary64, too", TURNS, "if (checked.dtype == ROPEWALK_F64)", "if (false)",
             LONE + "CpuTurns.DeclinesBinary64"),
    Mutation("call rows: rows of another room", KERNEL + "call_rows.hpp", "&& room.cos == next_cos_) {", ") {",
             ROTATION + "PositionsRunOnAfterOneOfTheTable/CpuTable", TABLE),
    Mutation("rotation: the last tokens wait for ever", KERNEL + "cpu_rotation.hpp",
             "turn_waiting();\n    if (query_.streams()", "if (query_.streams()",
             ROTATION + "GivesTheMirrorsBitsForEveryDtypeAndPairing/CpuTurns", TURNS),
    Mutation("rotation: the key is not turned", KERNEL + "cpu_rotation.hpp", "key_.turn();", ";",
             ROTATION + "GivesTheMirrorsBitsForEveryDtypeAndPairing/CpuTurns", TURNS),
    Mutation("rotation: an axis keeps its first row", KERNEL + "cpu_rotation.hpp",
             "if (kept.is_known && kept.position == position)", "if (kept.is_known)",
             AXES + "CanonicalKernelsTurnEachPairOnItsOwnAxis",
             TURNS),
    Mutation("first channels: those of the key are left", CHANNELS,
             "detail::copy_channels_before(whole.key, place, first, element);", ";", FROM_FIRST, TURNS),
    Mutation("first channels: views begin with them", CHANNELS, "view.data += bytes;", "", FROM_FIRST, TURNS),
    Mutation("first channels: as many as there are channels", "include/ropewalk/kernel/encoding_check.hpp",
             "encoding.rotary_begin <= encoding.head_dim - encoding.rotary_dim", "encoding.rotary_begin <= encoding.head_dim",
             REFUSED + "EveryWrongFieldOfAnEncodingIsNamed", TURNS),
    Mutation("positions: anywhere", "include/ropewalk/kernel/call.hpp",
             "require_addresses(call.data, lowest, highest, positions_field);", "",
             REFUSED + "EveryWrongFieldOfACallIsNamedAndNothingIsWritten", TURNS),
]
