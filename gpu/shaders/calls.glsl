// What shaders are called with: push constants, one structure for each way to be called, and ALiBi's slopes. C++ compiles this
// file too (gpu/calls.hpp): members are uint, int, float, and arrays and structures of these, which std430 and C++ lay out alike.

// An attention factor: significand x 2^exponent, the significand a fraction of at least 1/2 with its lowest word first.
struct factor_words {
  uint significand[4];
  int exponent;
  uint rounded;  // the factor as binary32
};

// Where a row has its entries, in words, and which row belongs to a position.
struct row_arrangement {
  uint row_words;  // from one row to the next
  uint cosine_first;
  uint sine_first;
  uint pair_step;
  uint row_offset;  // added to positions; above 0, position -1 has a row of zeros
};

struct rows_call {
  factor_words factor;
  row_arrangement arranged;
  uint tokens;
  uint pairs;
};

struct bias_call {
  uint heads;
  uint entries;      // of a head
  uint head_step;    // from a head's entries to the next head's
  uint first;        // |key - query| of a head's first entry, which is negative unless it is ahead
  uint first_ahead;  // 0 or 1
};

// One head's slope in its buffer: a fraction of at least 1/2, its lowest word first, times 2^exponent; exact, or off by half a unit
// of the last place.
struct slope_words {
  uint significand[4];
  int exponent;
  uint is_exact;  // 0 or 1
};

// Of rotate.comp and copy.comp.
struct rotate_call {
  uint tokens;
  uint heads;
  uint head_fours;     // of a head
  uint pair_fours;     // of half of what rotates
  uint heads_at_once;  // of an invocation
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
  float theta_scale;  // from a pair's angle to the next one's
  float factor;       // of cosines and sines
};

struct add_call {
  uint tokens;
  uint heads;
  uint head_fours;     // of a head
  uint added_fours;    // of them, those that are added to
  uint head_step;      // from a head's entries to the next head's
  uint heads_at_once;  // of an invocation
};

struct add_any_call {
  uint elements;
  uint heads;
  uint head_dim;
  uint added;      // channels of a head that are added to; the others are copied
  uint head_step;  // from a head's entries to the next head's
};

struct copy_words_call {
  uint fours;
};

struct probe_call {
  uint count;
};
