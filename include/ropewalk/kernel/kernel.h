#ifndef ROPEWALK_KERNEL_H
#define ROPEWALK_KERNEL_H
/* The C11 interface of a kernel. ropewalk's own library and foreign libraries both export it.
 *
 * A library exports one function, ropewalk_kernels. Each kernel makes a plan from a resolved encoding, which
 * holds numbers and never a scaling rule, and applies the plan to tensors. The caller allocates every tensor;
 * a kernel starts no threads and keeps no global state. Several threads may apply one plan at the same time.
 *
 * How structs grow: every encoding, call, kernel, promise and limits struct begins with its size in bytes
 * (struct_size), and new fields are appended at its end. A reader takes fields beyond struct_size as zeros.
 * It accepts a struct longer than the one it knows if all further bytes are zero. Zero in an appended field
 * selects the behaviour from before the field existed. Until version 0.3.0, fields may be appended without a
 * new ABI number. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ROPEWALK_ABI 2u

/* Formats of tensor elements: IEEE 754 binary64, binary32, binary16, and bfloat16. The 8-bit formats are
 * reserved: no kernel of this version takes them. */
enum ropewalk_dtype {
  ROPEWALK_F64 = 0,
  ROPEWALK_F32 = 1,
  ROPEWALK_F16 = 2,
  ROPEWALK_BF16 = 3,
  ROPEWALK_F8_E4M3FN = 4,
  ROPEWALK_F8_E4M3FNUZ = 5,
  ROPEWALK_F8_E5M2 = 6
};

/* Operations of kernels. Each has its own encoding struct and call struct. The last three are reserved. */
enum ropewalk_operation {
  ROPEWALK_ROTATE = 0,      /* rotary embedding: ropewalk_rotation, ropewalk_rotation_call */
  ROPEWALK_ADD_ROW = 1,     /* sinusoidal encoding: ropewalk_row_addition, ropewalk_row_call */
  ROPEWALK_ADD_BIAS = 2,    /* ALiBi: ropewalk_bias_addition, ropewalk_bias_call */
  ROPEWALK_ADD_T5_BIAS = 3, /* T5: adds a learned number for each head and bucket of distances */
  ROPEWALK_ADD_LEARNED_ROW = 4,
  ROPEWALK_NORM_ROTATE_WRITE = 5 /* query norm, rotation, and the write to a cache, fused */
};

/* The two channels of pair i, from the first that rotates: (2i, 2i + 1), or (i, i + rotary_dim / 2). */
enum ropewalk_pairing {
  ROPEWALK_INTERLEAVED = 0,
  ROPEWALK_HALF_SPLIT = 1,
  /* For rotations only: half-split within the channels of each axis. If an axis has the pairs a to a + n - 1,
   * pair a + k is channels (2a + k, 2a + k + n). The numbers in `axis` must not decrease. If input and output
   * differ, the other one must be interleaved: its axes have the same channels. */
  ROPEWALK_HALF_SPLIT_BY_AXIS = 2
};

enum ropewalk_status {
  ROPEWALK_OK = 0,
  ROPEWALK_INVALID_ARGUMENT = 1, /* ropewalk_error names the field; nothing was written */
  ROPEWALK_OUT_OF_MEMORY = 2,
  ROPEWALK_UNSUPPORTED = 3, /* the request is well formed, but this kernel does not serve it */
  /* The encoding's numbers, or the cap on working precision, do not decide a correct rounding. */
  ROPEWALK_UNDECIDED = 4,
  /* A device, its driver or its loader is missing or failed; nothing was written. */
  ROPEWALK_DEVICE_FAILED = 5
};

/* Filled by plan and apply when they return anything but ROPEWALK_OK. The caller may pass NULL instead. Both
 * strings are zero-terminated. */
typedef struct ropewalk_error {
  char field[64];
  char text[256];
} ropewalk_error;

/* The first field of every encoding struct and every call struct. */
typedef struct ropewalk_head {
  uint32_t struct_size; /* bytes of the whole struct, this head included */
  int32_t operation;    /* enum ropewalk_operation; determines the struct that follows */
} ropewalk_head;

/* A positive real number rounded to 256 significant bits: the sum of significand[k] 2^(32 k), times
 * 2^exponent. The highest bit of significand[7] is set. Zero, where it is allowed, has no bit set. */
typedef struct ropewalk_real {
  uint32_t significand[8];
  int32_t exponent;
} ropewalk_real;

/* ---- Promises and limits of a kernel ---- */

/* Output bits that a kernel promises. */
enum ropewalk_bits {
  ROPEWALK_BOUNDED = 0, /* none: the parts of the promise bound the error */
  /* The bits of the canonical operation (rotation.hpp, addition.hpp), for every input. Where its result is a
   * NaN, any NaN is allowed. Channels that pass through keep every bit. */
  ROPEWALK_CANONICAL = 1,
  ROPEWALK_EXACT = 2 /* every output is the exact value rounded once, to nearest even */
};

/* The format that one part of the computation is rounded to. */
enum ropewalk_part {
  ROPEWALK_UNROUNDED = 0,
  ROPEWALK_PART_F64 = 1,
  ROPEWALK_PART_F32 = 2,
  ROPEWALK_PART_BF16 = 3,
  ROPEWALK_PART_DATA = 4, /* the format of the tensors' elements */
  /* For frequencies only: the previous pair's frequency times a constant, in binary32. */
  ROPEWALK_PART_REPEATED_F32 = 5
};

/* A kernel's promise, by which ropewalk judges it. A promise is either bits, or the format that each part of
 * the computation is rounded to. In both cases the output is rounded once to the tensors' format. These
 * promises have names on the command line:
 *
 *   canonical      bits = ROPEWALK_CANONICAL
 *   exact          bits = ROPEWALK_EXACT
 *   rounded-table  table and rotation = ROPEWALK_PART_F32, is_fused = 1
 *   dtype-table    table and rotation = ROPEWALK_PART_DATA, is_fused = 1
 *   angle-f64      angle = ROPEWALK_PART_F64, else as rounded-table
 *   angle-f32      angle = ROPEWALK_PART_F32, else as rounded-table
 *   hf             frequency and angle = ROPEWALK_PART_F32, else as dtype-table
 *
 * For an addition, the names set entry and sum as they set table and rotation. A kernel may compute a part in
 * a finer format than the promise names. For binary64 data, rotations and additions are done in binary64
 * wherever a part names binary32. */
typedef struct ropewalk_promise {
  uint32_t struct_size;
  int32_t bits; /* enum ropewalk_bits; unless it is ROPEWALK_BOUNDED, all parts are zero */
  /* Parts of a rotation, each an enum ropewalk_part. */
  int32_t frequency; /* ROPEWALK_UNROUNDED: inv_freq as given; F64, F32, REPEATED_F32: computed in it */
  /* ROPEWALK_UNROUNDED: an exact phase. F64, F32, BF16: position, frequency and their product are rounded. */
  int32_t angle;
  int32_t table;    /* cosines and sines as stored, attention factor included; any part */
  int32_t rotation; /* products and sums; any part but BF16 */
  int32_t is_fused; /* 1: products and sums may be fused and done in any order */
  /* Parts of an addition. */
  int32_t entry; /* the number that is added; any part but BF16 */
  int32_t sum;   /* ROPEWALK_UNROUNDED, F32 or DATA */
} ropewalk_promise;

/* Features that a kernel does not serve: bits of ropewalk_limits.not_served. */
#define ROPEWALK_NO_PARTIAL 1u     /* rotary_dim below head_dim: channels pass through */
#define ROPEWALK_NO_CROSSING 2u    /* pairing_out other than pairing_in */
#define ROPEWALK_NO_BACKWARD 4u    /* the flag ROPEWALK_BACKWARD */
#define ROPEWALK_NO_UNIT 8u        /* the flag ROPEWALK_UNIT */
#define ROPEWALK_NO_KEY 16u        /* a second tensor */
#define ROPEWALK_NO_STRIDES 32u    /* tensors that are not dense */
#define ROPEWALK_NO_IN_PLACE 64u   /* an output that is the same view as its input */
#define ROPEWALK_NO_SPLITS 128u    /* token ranges other than all tokens of the call */
#define ROPEWALK_NO_SEQUENCES 256u /* sequence_offset */
#define ROPEWALK_NO_UNALIGNED 512u /* elements that are not aligned to their size */
#define ROPEWALK_NO_CHECKS 1024u   /* invalid calls: the kernel's caller checks them */
/* Callers with another floating-point environment than the default one. */
#define ROPEWALK_NO_ENVIRONMENT 2048u
/* rotary_begin above 0: channels pass through before those that rotate. Kernels that predate the field and
 * ignore unknown fields need this bit when such a model is requested. */
#define ROPEWALK_NO_BEGIN 4096u
/* For kernels of dense, aligned tensors: out of place, all tokens in one call, without sequences. */
#define ROPEWALK_DENSE                                                                       \
  (ROPEWALK_NO_STRIDES | ROPEWALK_NO_IN_PLACE | ROPEWALK_NO_SPLITS | ROPEWALK_NO_SEQUENCES | \
   ROPEWALK_NO_UNALIGNED)

/* Forms of ALiBi's bias, by is_symmetric and origin of a ropewalk_bias_addition: (0, 0), (1, 0), (0, 1), and
 * (0, 2). */
enum ropewalk_bias_form {
  ROPEWALK_BIAS_CAUSAL = 0,
  ROPEWALK_BIAS_SYMMETRIC = 1,
  ROPEWALK_BIAS_KEY = 2,
  ROPEWALK_BIAS_LAST_KEY = 3
};

/* Limits of a kernel. In each field, zero or NULL means "no limit". ropewalk never asks a kernel for anything
 * beyond its limits; within them the kernel should not return ROPEWALK_UNSUPPORTED. For a row addition,
 * head_dim is the width; for a bias addition, it is the number of keys, and tokens are queries. */
typedef struct ropewalk_limits {
  uint32_t struct_size;
  uint32_t dtypes; /* a set of 1u << enum ropewalk_dtype */
  /* A set of 1u << enum ropewalk_pairing. Zero, or no limits at all: interleaved and half-split, the pairings
   * that existed first. */
  uint32_t pairings;
  uint32_t not_served;      /* a set of ROPEWALK_NO_... */
  const int32_t* head_dims; /* [head_dim_count] */
  int32_t head_dim_count;
  int32_t axes;           /* the largest number of position rows */
  int64_t position_begin; /* position_begin <= p < position_end; both zero: no limit */
  int64_t position_end;
  /* [shape_count], each batch, tokens, heads, head_dim, 1 to 2^31 - 1; a key's shape must be listed, too. */
  const int64_t (*shapes)[4];
  int64_t shape_count;
  /* For a bias addition: a set of UINT64_C(1) << enum ropewalk_bias_form. Zero: causal and symmetric, the
   * forms that predate the field, and any other form that a user requests by name. */
  uint64_t forms;
  /* For a rotation or a row addition: a set of UINT64_C(1) << enum ropewalk_position_kind. Zero, or no limits
   * at all: counted and int32 positions, the kinds that predate the field. */
  uint64_t position_kinds;
} ropewalk_limits;

/* ---- Encodings, from which plans are made ---- */

/* A rotary embedding after every scaling rule has been applied. At position p, a pair (x0, x1) becomes
 * (x0 c - x1 s, x0 s + x1 c), where c and s are attention_factor times the cosine and sine of p inv_freq. */
typedef struct ropewalk_rotation {
  ropewalk_head head;
  int32_t head_dim;
  /* Even, at most head_dim: the channels that rotate. The others pass through, bit for bit. */
  int32_t rotary_dim;
  int32_t pairing_in; /* enum ropewalk_pairing of the input, and of the output */
  int32_t pairing_out;
  int32_t axes;           /* number of position rows; 1 for text */
  const double* inv_freq; /* [rotary_dim / 2] radians per position, correctly rounded */
  /* [rotary_dim / 2][4] turns per position modulo 1: 128-bit fractions, low word first, to nearest. */
  const uint32_t* turns;
  const uint32_t* turns_256;    /* [rotary_dim / 2][8] the same to 256 bits; NULL if not known */
  const int32_t* axis;          /* [rotary_dim / 2] the position row of each pair; NULL: row 0 for all */
  double attention_factor;      /* multiplies every cosine and sine; correctly rounded */
  ropewalk_real attention_real; /* the same to 256 bits; all zero if not known */
  int64_t table_begin; /* a hint: positions table_begin <= p < table_end are frequent; equal: no hint */
  int64_t table_end;
  /* Sequence length that inv_freq is for. 0: any length, or any up to the original context length. */
  int64_t seq_len;
  const char* config_json; /* the configuration as JSON text, for kernels that read it; or NULL */
  /* The first channel that rotates, at most head_dim - rotary_dim. */
  int64_t rotary_begin;
  /* [rotary_dim / 2] turns per unit of position, whole turns included, for binary64 positions. (`turns` drops
   * whole turns, which is exact only for whole positions.) Zero: the pair does not rotate. If the low 128
   * bits are zero, the number is exactly the frequency. If a fraction from 1/2 to 1 of two integers of at
   * most 64 bits, times a power of two, rounds to the 256 bits, that fraction is exactly the frequency. NULL:
   * not known; kernels then decline binary64 positions. */
  const ropewalk_real* turns_real;
} ropewalk_rotation;

/* A sinusoidal encoding. The row that belongs to a token's position is added to each head of that token. */
typedef struct ropewalk_row_addition {
  ropewalk_head head;
  int32_t width; /* channels of a head */
  /* Even, at most width. Channels below it hold sines and cosines; the others pass through. */
  int32_t sinusoidal_channels;
  int32_t pairing;        /* enum ropewalk_pairing: the two channels of a pair */
  int32_t cosine_first;   /* 0: the sine is in the pair's first channel; 1: the cosine is */
  int32_t row_offset;     /* position p uses row p + row_offset; if above 0, position -1 adds zeros */
  const double* inv_freq; /* radians per row: as in ropewalk_rotation, for sinusoidal_channels / 2 pairs */
  const uint32_t* turns;
  const uint32_t* turns_256;
  int64_t table_begin;
  int64_t table_end;
  const ropewalk_real* turns_real; /* as in ropewalk_rotation */
} ropewalk_row_addition;

/* The position that is subtracted from each key's position; the bias at that key is 0. */
enum ropewalk_bias_origin {
  ROPEWALK_FROM_QUERY = 0,     /* the query's position */
  ROPEWALK_FROM_FIRST_KEY = 1, /* position 0 (BLOOM, Falcon, causal flash-attention) */
  ROPEWALK_FROM_LAST_KEY = 2   /* position keys - 1, for the keys of the call (MPT) */
};

/* ALiBi: adds slope x (key - origin) to attention scores. */
typedef struct ropewalk_bias_addition {
  ropewalk_head head;
  int32_t heads;
  int32_t is_symmetric;        /* 0: slope (key - origin); 1: -slope |query - key|, which needs origin 0 */
  const ropewalk_real* slopes; /* [heads], each correctly rounded, from 2^-101 to 2^100 */
  int64_t origin;              /* enum ropewalk_bias_origin */
} ropewalk_bias_addition;

/* ---- Calls, to which plans are applied ---- */

/* A strided view of elements. Rank 4 is [batch, tokens, heads, head_dim], rank 3 [tokens, heads, head_dim];
 * at rank 3 the last entries of shape and stride are ignored. Strides count elements and may be negative;
 * only an input may have stride 0 along an extent above 1. The data may have any alignment. Kernels neither
 * read nor write bytes outside the view. */
typedef struct ropewalk_tensor {
  void* data;
  int32_t dtype; /* enum ropewalk_dtype */
  int32_t rank;  /* 3 or 4 */
  int64_t shape[4];
  int64_t stride[4];
} ropewalk_tensor;

/* Kinds of positions in a call. */
enum ropewalk_position_kind {
  /* No array: tokens are counted from 0 in each batch row, or in each sequence. */
  ROPEWALK_COUNTED = 0,
  ROPEWALK_POSITIONS_I32 = 1, /* data points to int32_t */
  /* Data points to double: finite numbers, -2^31 < p < 2^31, each taken exactly. For rotations, and for row
   * additions with row_offset 0. Positions beyond that range, and roundings that stay undecided, return
   * ROPEWALK_UNDECIDED. */
  ROPEWALK_POSITIONS_F64 = 2
};

/* Position of token t of batch row b on axis x: data[x stride[0] + b stride[1] + t stride[2]]. With
 * ROPEWALK_COUNTED only kind is read, and a token has the same position on every axis. */
typedef struct ropewalk_positions {
  int32_t kind; /* enum ropewalk_position_kind */
  int32_t axes; /* position rows in data: the encoding's axes; 1 for an addition */
  const void* data;
  int64_t stride[3];
} ropewalk_positions;

/* The tokens that a call processes, and their positions. */
typedef struct ropewalk_tokens {
  ropewalk_positions positions;
  /* NULL if absent; rank 3 only. Sequence i is tokens sequence_offset[i] to sequence_offset[i + 1] - 1. There
   * are sequences + 1 entries; they never decrease, the first is 0 and the last is the number of tokens. */
  const int64_t* sequence_offset;
  int64_t sequences;
  /* Token t of batch row b is processed if begin <= b * tokens + t < end, where tokens is the tensors'
   * extent. Callers use such ranges to split one call between threads. */
  int64_t begin;
  int64_t end;
} ropewalk_tokens;

#define ROPEWALK_BACKWARD 1u /* rotates by the adjoint, a R(-t): every sine is negated */
#define ROPEWALK_UNIT 2u     /* uses attention factor 1, to shift keys that already carry the factor */

/* The query is required. The key is optional, absent if both of its data pointers are NULL. The key may have
 * another number of heads than the query; dtype, rank, batch, tokens and head_dim are the same. An output is
 * either the same view as its input (in place) or does not overlap it; it overlaps no other tensor and no
 * positions. */
typedef struct ropewalk_rotation_call {
  ropewalk_head head;
  ropewalk_tokens tokens;
  uint32_t flags; /* ROPEWALK_BACKWARD, ROPEWALK_UNIT */
  ropewalk_tensor query_in;
  ropewalk_tensor query_out;
  ropewalk_tensor key_in;
  ropewalk_tensor key_out;
} ropewalk_rotation_call;

/* The tensors' last extent is the encoding's width. Overlap is restricted as in ropewalk_rotation_call. */
typedef struct ropewalk_row_call {
  ropewalk_head head;
  ropewalk_tokens tokens;
  ropewalk_tensor in;
  ropewalk_tensor out;
} ropewalk_row_call;

/* Scores are [batch, queries, heads, keys]: tokens are queries, and key j is at position j. Overlap is
 * restricted as in ropewalk_rotation_call. */
typedef struct ropewalk_bias_call {
  ropewalk_head head;
  ropewalk_tokens tokens;
  ropewalk_tensor scores_in;
  ropewalk_tensor scores_out;
} ropewalk_bias_call;

/* ---- Kernels ---- */

typedef struct ropewalk_plan ropewalk_plan;

typedef struct ropewalk_kernel {
  uint32_t struct_size; /* sizeof(ropewalk_kernel) */
  uint32_t abi;         /* ROPEWALK_ABI */
  const char* name;     /* on the command line: up to 64 lower-case letters, digits and hyphens */
  int32_t operation;    /* enum ropewalk_operation */
  const ropewalk_promise* promise;
  const ropewalk_limits* limits; /* NULL: no limits */
  /* Makes a plan. `encoding` points to the head of the operation's encoding struct. The plan must not refer
   * to that struct or its arrays after the function has returned. On failure *plan is NULL. Returns enum
   * ropewalk_status. */
  int32_t (*plan)(const ropewalk_head* encoding, ropewalk_plan** plan, ropewalk_error* error);
  /* Applies a plan. `call` points to the head of the operation's call struct. The same call in the same
   * memory gives the same bits again. Like `plan`, it must leave the caller's floating-point environment, the
   * x87 unit included, as it was. The caller may have set flush-to-zero or another rounding direction. A
   * kernel that promises bits gives the same bits then; other kernels need not. Returns enum ropewalk_status.
   */
  int32_t (*apply)(const ropewalk_plan* plan, const ropewalk_head* call, ropewalk_error* error);
  void (*free_plan)(ropewalk_plan* plan); /* ignores NULL */
} ropewalk_kernel;

#if defined(_WIN32)
#define ROPEWALK_EXPORT __declspec(dllexport)
#else
#define ROPEWALK_EXPORT __attribute__((visibility("default")))
#endif

/* Returns the kernels of this library: *count pointers, valid as long as the library is loaded. */
ROPEWALK_EXPORT const ropewalk_kernel* const* ropewalk_kernels(size_t* count);

#ifdef __cplusplus
}
#endif

#endif
