// Structures that C++ and the shaders share: push constants, ALiBi's slopes, and turns. C++ also compiles
// this file (gpu/calls.hpp): members are uint, int, float, and arrays and structures of these, which std430
// and C++ lay out alike.
#ifndef ROPEWALK_CALLS
#define ROPEWALK_CALLS

// Divides numbers below 2^31: the quotient of n is the highest word of 2 n x multiplier, shifted down.
struct divisor {
  uint value;
  uint multiplier;
  uint shift;
};

// An attention factor: significand x 2^exponent. The significand is a fraction of at least 1/2, lowest word
// first.
struct factor_words {
  uint significand[4];
  int exponent;
  uint rounded;  // the factor as binary32
};

// Places of a row's entries, in words, and the row of a position.
struct row_arrangement {
  uint row_words;  // stride between rows
  uint cosine_first;
  uint sine_first;
  uint pair_step;   // stride between pairs
  uint row_offset;  // added to positions; if above 0, position -1 has a row of zeros
};

struct rows_call {
  factor_words factor;
  row_arrangement arranged;
  uint tokens;
  uint pairs;
};

// Marks the number of an entry; all numbers are below it.
const uint undecided_mark = 0x80000000u;

// The turns of one pair per unit of a position in binary64, an element of a buffer: significand x 2^exponent,
// whole turns included. The significand is a fraction of at least 1/2, lowest word first, or 0 for a pair
// that does not rotate; exact, or within half a unit of its last place.
struct real_turns {
  uint significand[8];
  int exponent;
  uint is_exact;  // 0 or 1
};

struct bias_call {
  uint heads;
  uint entries;      // per head
  uint head_step;    // stride between the entries of two heads, in words
  uint begin;        // index of the first head's first entry
  uint first;        // |key - origin| of a head's first entry
  uint first_ahead;  // whether the first entry's key - origin is positive: 0 or 1
};

// One head's slope, an element of a buffer: significand x 2^exponent. The significand is a fraction of at
// least 1/2, lowest word first; exact, or within half a unit of its last place.
struct slope_words {
  uint significand[4];
  int exponent;
  uint is_exact;  // 0 or 1
};

// The work of a shader that processes blocks of heads.
struct head_blocks {
  divisor parts;       // invocations that process one block of heads
  divisor blocks;      // blocks of heads in a token
  uint tokens;
  uint heads;
  uint head_groups;    // groups of channels in a head
  uint heads_at_once;  // most heads that an invocation processes
};

// Push constants of rotate.comp and copy.comp.
struct rotate_call {
  head_blocks work;
  uint pair_groups;  // groups of first channels of pairs in a head
};

struct rotate_any_call {
  uint elements;
  divisor heads;
  divisor head_dim;
  uint pairs;
  uint row_words;
};

struct recipe_call {
  uint tokens;
  uint heads;
  uint head_groups;
  uint pair_groups;
  float theta_scale;  // ratio of the next pair's angle to a pair's
  float factor;       // multiplies cosines and sines
};

struct add_call {
  head_blocks work;
  uint added_groups;  // the first groups of a head, which entries are added to; the others are copied
  uint row_halves;    // stride between rows, in halves of a group's channels
};

// The scores of a run of queries at consecutive positions.
struct add_bias_call {
  divisor parts;         // groups of keys in a head
  divisor heads;
  uint begin;            // the run's first group
  uint queries;
  uint queries_at_once;  // most queries that an invocation processes
  uint entry;            // index of the first query's entry for its first head and key
  uint head_step;        // stride between the entries of two heads, in words
};

struct add_any_call {
  uint elements;
  divisor heads;
  divisor head_dim;
  uint added;      // leading channels of a head that entries are added to; the others are copied
  uint head_step;  // stride between the entries of two heads, in words
};

struct copy_words_call {
  uint fours;
};

struct probe_call {
  uint count;
};

#endif
