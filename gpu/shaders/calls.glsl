// Structures that C++ and the shaders share: push constants, and ALiBi's slopes. C++ compiles this file too
// (gpu/calls.hpp): members are uint, int, float, and arrays and structures of these, which std430 and C++ lay
// out alike.

// An attention factor: significand x 2^exponent. The significand is a fraction of at least 1/2, lowest word
// first.
struct factor_words {
  uint significand[4];
  int exponent;
  uint rounded;  // the factor as binary32
};

// Where the entries of a row are, in words, and which row belongs to a position.
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

struct bias_call {
  uint heads;
  uint entries;      // per head
  uint head_step;    // stride between the entries of two heads, in words
  uint first;        // |key - query| of a head's first entry
  uint first_ahead;  // whether the first entry's key - query is positive: 0 or 1
};

// One head's slope, an element of a buffer: significand x 2^exponent. The significand is a fraction of at
// least 1/2, lowest word first; exact, or within half a unit of its last place.
struct slope_words {
  uint significand[4];
  int exponent;
  uint is_exact;  // 0 or 1
};

// Push constants of rotate.comp and copy.comp.
struct rotate_call {
  uint tokens;
  uint heads;
  uint head_fours;     // groups of four channels in a head
  uint pair_fours;     // groups of four pairs in a head
  uint heads_at_once;  // most heads that an invocation processes
};

struct rotate_any_call {
  uint elements;
  uint heads;
  uint head_dim;
  uint pairs;
  uint row_words;
};

struct recipe_call {
  uint tokens;
  uint heads;
  uint head_fours;
  uint pair_fours;
  float theta_scale;  // ratio of the next pair's angle to a pair's
  float factor;       // multiplies cosines and sines
};

struct add_call {
  uint tokens;
  uint heads;
  uint head_fours;     // groups of four channels in a head
  uint added_fours;    // the first of these, which entries are added to; the others are copied
  uint head_step;      // stride between the entries of two heads, in words
  uint heads_at_once;  // most heads that an invocation processes
};

struct add_any_call {
  uint elements;
  uint heads;
  uint head_dim;
  uint added;      // leading channels of a head that entries are added to; the others are copied
  uint head_step;  // stride between the entries of two heads, in words
};

struct copy_words_call {
  uint fours;
};

struct probe_call {
  uint count;
};
