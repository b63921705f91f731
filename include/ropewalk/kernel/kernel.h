#ifndef ROPEWALK_KERNEL_H
#define ROPEWALK_KERNEL_H
/* What a kernel is: the C11 interface that ropewalk's own library and a foreign library export alike.
 *
 * A library exports one function, ropewalk_kernels. Each kernel makes a plan from a resolved encoding
 * (numbers, never a scaling rule) and applies it to tensors. Nothing here allocates for the caller, starts
 * threads or keeps global state; one plan may be applied from many threads at once.
 *
 * How structs grow: every struct that crosses the interface begins with its size, and new fields are appended.
 * A struct shorter than the callee's reads as zeros beyond its end; a longer one is refused only where a byte
 * beyond the callee's is not zero. A zero in an appended field always means what was meant before it existed.
 * ABI 2 stays open for such fields until version 0.3.0. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ROPEWALK_ABI 2u

/* Formats of tensor elements: IEEE 754 binary64, binary32, binary16, and bfloat16. The 8-bit formats are reserved:
 * no kernel of this version takes them. */
enum ropewalk_dtype {
  ROPEWALK_F64 = 0,
  ROPEWALK_F32 = 1,
  ROPEWALK_F16 = 2,
  ROPEWALK_BF16 = 3,
  ROPEWALK_F8_E4M3FN = 4,
  ROPEWALK_F8_E4M3FNUZ = 5,
  ROPEWALK_F8_E5M2 = 6
};

/* What a kernel does to its tensors. Each operation has an encoding struct and a call struct of its own. The last
 * three are reserved. */
enum ropewalk_operation {
  ROPEWALK_ROTATE = 0,      /* rotary embedding: ropewalk_rotation, ropewalk_rotation_call */
  ROPEWALK_ADD_ROW = 1,     /* sinusoidal encoding: ropewalk_row_addition, ropewalk_row_call */
  ROPEWALK_ADD_BIAS = 2,    /* ALiBi: ropewalk_bias_addition, ropewalk_bias_call */
  ROPEWALK_ADD_T5_BIAS = 3, /* T5: a learned number of the head and the bucket of the distance */
  ROPEWALK_ADD_LEARNED_ROW = 4,
  ROPEWALK_NORM_ROTATE_WRITE = 5 /* query norm, rotation, and the write to a cache, fused */
};

/* Which two channels form pair i: (2i, 2i + 1), or (i, i + rotary_dim / 2). */
enum ropewalk_pairing { ROPEWALK_INTERLEAVED = 0, ROPEWALK_HALF_SPLIT = 1 };

enum ropewalk_status {
  ROPEWALK_OK = 0,
  ROPEWALK_INVALID_ARGUMENT = 1, /* error names the field; nothing was written */
  ROPEWALK_OUT_OF_MEMORY = 2,
  ROPEWALK_UNSUPPORTED = 3, /* the request is well formed, but this kernel does not serve it */
  ROPEWALK_UNDECIDED = 4,   /* a correct rounding was not decided at the cap of working precision */
  ROPEWALK_DEVICE_FAILED =
      5 /* a device, its driver or its loader is missing or failed; nothing was written */
};

/* Filled by the callee when a call does not return ROPEWALK_OK; may be NULL. Both texts end in a zero. */
typedef struct ropewalk_error {
  char field[64];
  char text[256];
} ropewalk_error;

/* What every encoding and every call begins with. */
typedef struct ropewalk_head {
  uint32_t struct_size; /* of the whole struct that begins with this head */
  int32_t operation;    /* enum ropewalk_operation: which struct that is */
} ropewalk_head;

/* A positive real number rounded to 256 significant bits: sum of significand[k] 2^(32 k), times 2^exponent;
 * the highest bit of significand[7] is set. */
typedef struct ropewalk_real {
  uint32_t significand[8];
  int32_t exponent;
} ropewalk_real;

/* ---- What a kernel claims and what it serves ---- */

/* Which bits a kernel promises. */
enum ropewalk_bits {
  ROPEWALK_BOUNDED = 0,   /* none: its error is bounded by the parts below */
  ROPEWALK_CANONICAL = 1, /* the canonical operation's bits, for every input */
  ROPEWALK_EXACT = 2      /* every output is the exact value rounded once, to nearest even */
};

/* The format that a part of the computation is rounded to. */
enum ropewalk_part {
  ROPEWALK_UNROUNDED = 0,
  ROPEWALK_PART_F64 = 1,
  ROPEWALK_PART_F32 = 2,
  ROPEWALK_PART_BF16 = 3,
  ROPEWALK_PART_DATA = 4 /* that of the tensors' elements */
};

/* What a kernel claims, and what it is judged by: bits, or where its roundings stand. The output is rounded once to
 * the tensors' format in any case. Promises with a name on the command line:
 *
 *   canonical      bits = ROPEWALK_CANONICAL
 *   exact          bits = ROPEWALK_EXACT
 *   rounded-table  table and rotation = ROPEWALK_PART_F32, is_fused = 1
 *   dtype-table    table and rotation = ROPEWALK_PART_DATA, is_fused = 1
 *   angle-f64      angle = ROPEWALK_PART_F64, else as rounded-table
 *   angle-f32      angle = ROPEWALK_PART_F32, else as rounded-table
 *   hf             frequency and angle = ROPEWALK_PART_F32, else as dtype-table
 *
 * A part may be computed in a finer format than it names. Binary64 data is rotated and added to in binary64 wherever
 * a part names binary32. */
typedef struct ropewalk_promise {
  uint32_t struct_size;
  int32_t bits; /* enum ropewalk_bits; where it is not ROPEWALK_BOUNDED the parts are zero */
  /* Of a rotation, enum ropewalk_part each. */
  int32_t frequency; /* ROPEWALK_UNROUNDED: inv_freq as given; ROPEWALK_PART_F32: formed in binary32 */
  int32_t angle; /* ROPEWALK_UNROUNDED: an exact phase; F64, F32, BF16: position times frequency, rounded */
  int32_t table; /* cosines and sines as they are kept, attention factor included; any part */
  int32_t rotation; /* products and sums: any part but BF16 */
  int32_t is_fused; /* 1: multiplications and additions may be fused, in any order */
  /* Of an addition: ROPEWALK_UNROUNDED, F32 or DATA. */
  int32_t entry; /* the number that is added */
  int32_t sum;
} ropewalk_promise;

/* What a kernel does not serve: bits of ropewalk_limits.not_served. */
#define ROPEWALK_NO_PARTIAL 1u   /* channels that pass through: rotary_dim below head_dim */
#define ROPEWALK_NO_CROSSING 2u  /* pairing_out other than pairing_in */
#define ROPEWALK_NO_BACKWARD 4u  /* ROPEWALK_BACKWARD */
#define ROPEWALK_NO_UNIT 8u      /* ROPEWALK_UNIT */
#define ROPEWALK_NO_KEY 16u      /* a second tensor */
#define ROPEWALK_NO_STRIDES 32u  /* tensors that are not dense */
#define ROPEWALK_NO_IN_PLACE 64u /* an output that is the input */
#define ROPEWALK_NO_SPLITS 128u  /* token ranges other than the whole call */
#define ROPEWALK_NO_SEQUENCES 256u
#define ROPEWALK_NO_UNALIGNED 512u /* elements at addresses that are no multiple of their size */
#define ROPEWALK_DENSE                                                                       \
  (ROPEWALK_NO_STRIDES | ROPEWALK_NO_IN_PLACE | ROPEWALK_NO_SPLITS | ROPEWALK_NO_SEQUENCES | \
   ROPEWALK_NO_UNALIGNED)

/* What a kernel serves. In each field zero (or NULL) means "no limit". A kernel is never asked beyond its limits, and
 * should decline nothing within them. */
typedef struct ropewalk_limits {
  uint32_t struct_size;
  uint32_t dtypes;          /* a set of 1u << enum ropewalk_dtype */
  uint32_t pairings;        /* a set of 1u << enum ropewalk_pairing */
  uint32_t not_served;      /* a set of ROPEWALK_NO_... */
  const int32_t* head_dims; /* [head_dim_count] */
  int32_t head_dim_count;
  int32_t axes;           /* at most so many position rows */
  int64_t position_begin; /* position_begin <= p < position_end; both zero: no limit */
  int64_t position_end;
  const int64_t (*shapes)[4]; /* [shape_count], each batch, tokens, heads, head_dim, 1 or above */
  int64_t shape_count;
} ropewalk_limits;

/* ---- Encodings: what a plan is made from ---- */

/* A rotary embedding, resolved: what is left of a configuration once every rule has been applied. */
typedef struct ropewalk_rotation {
  ropewalk_head head;
  int32_t head_dim;
  int32_t rotary_dim; /* even, at most head_dim; the other channels pass through untouched */
  int32_t pairing_in; /* enum ropewalk_pairing of the input, and of the output */
  int32_t pairing_out;
  int32_t axes;              /* position rows; 1 for text */
  const double* inv_freq;    /* [rotary_dim / 2] radians per position, correctly rounded */
  const uint32_t* turns;     /* [rotary_dim / 2][4] turns per position: 128-bit fractions, low word first */
  const uint32_t* turns_256; /* [rotary_dim / 2][8] the same with 256 bits; NULL if not known */
  const int32_t* axis;       /* [rotary_dim / 2] which position row turns the pair; NULL means row 0 */
  double attention_factor;   /* multiplies cos and sin; correctly rounded */
  ropewalk_real attention_real; /* the same to 256 bits; all zero if not known */
  int64_t table_begin; /* a hint: positions table_begin <= p < table_end come often; equal: not known */
  int64_t table_end;
  int64_t seq_len; /* length of sequences that inv_freq is for; 0: any, or any up to the original length */
  const char*
      config_json; /* the configuration as JSON text, for kernels that want it; NULL if there is none */
} ropewalk_rotation;

/* A sinusoidal encoding: the row of a position is added to each head of its token. */
typedef struct ropewalk_row_addition {
  ropewalk_head head;
  int32_t width; /* channels of a head */
  int32_t
      sinusoidal_channels; /* even; the first of them hold sines and cosines, the others are not added to */
  int32_t pairing;         /* enum ropewalk_pairing: which two channels are a pair's */
  int32_t cosine_first;    /* 0: a pair's channels are its sine and its cosine; 1: its cosine and its sine */
  int32_t row_offset; /* 0: position p has row p. Above 0: it has row p + row_offset, and position -1 zeros */
  const double* inv_freq; /* as in ropewalk_rotation, for sinusoidal_channels / 2 pairs */
  const uint32_t* turns;
  const uint32_t* turns_256;
  int64_t table_begin;
  int64_t table_end;
} ropewalk_row_addition;

/* ALiBi: -slope x distance is added to attention scores. */
typedef struct ropewalk_bias_addition {
  ropewalk_head head;
  int32_t heads;
  int32_t is_symmetric;        /* 0: -slope (query - key); 1: -slope |query - key| */
  const ropewalk_real* slopes; /* [heads], each correctly rounded, from 2^-101 to 2^100 */
} ropewalk_bias_addition;

/* ---- Calls: what a plan is applied to ---- */

/* A view of elements, at any alignment. Rank 4 is [batch, tokens, heads, head_dim], rank 3 [tokens, heads,
 * head_dim]. Strides count elements and may be negative; a stride of zero is for reading alone. Unused
 * entries of shape and stride are ignored. Bytes outside the view are neither read nor written. */
typedef struct ropewalk_tensor {
  void* data;
  int32_t dtype; /* enum ropewalk_dtype */
  int32_t rank;  /* 3 or 4 */
  int64_t shape[4];
  int64_t stride[4];
} ropewalk_tensor;

/* How positions are given. */
enum ropewalk_position_kind {
  ROPEWALK_COUNTED = 0, /* not at all: tokens are counted from 0 in each batch row, or in each sequence */
  ROPEWALK_POSITIONS_I32 = 1, /* data points to int32_t */
  ROPEWALK_POSITIONS_F64 =
      2 /* data points to double; reserved until such positions have a canonical definition */
};

/* Position of token t of batch row b on axis x: data[x stride[0] + b stride[1] + t stride[2]]. */
typedef struct ropewalk_positions {
  int32_t kind; /* enum ropewalk_position_kind */
  int32_t axes; /* rows that data has: those of the encoding, 1 for an addition; not read where kind is
                   ROPEWALK_COUNTED: tokens then have one position on every axis */
  const void* data;
  int64_t stride[3];
} ropewalk_positions;

/* Which tokens a call does, and where they stand. */
typedef struct ropewalk_tokens {
  ropewalk_positions positions;
  /* Rank 3 only, NULL when absent: sequence i is tokens sequence_offset[i] .. sequence_offset[i + 1] - 1;
   * sequences + 1 entries, rising from 0 to the number of tokens. */
  const int64_t* sequence_offset;
  int64_t sequences;
  /* Tokens to do, counted through batch rows: begin <= b * tokens + t < end. Callers split work so. */
  int64_t begin;
  int64_t end;
} ropewalk_tokens;

#define ROPEWALK_BACKWARD 1u /* the adjoint, a R(-t) */
#define ROPEWALK_UNIT 2u     /* attention factor 1, for shifting keys that already carry it */

/* A tensor with data == NULL is absent; query is required, key is optional and may have another number of heads, but
 * the query's dtype, rank, batch and tokens. Input and output are either the same view (in place) or do not overlap. */
typedef struct ropewalk_rotation_call {
  ropewalk_head head;
  ropewalk_tokens tokens;
  uint32_t flags; /* ROPEWALK_BACKWARD, ROPEWALK_UNIT */
  ropewalk_tensor query_in;
  ropewalk_tensor query_out;
  ropewalk_tensor key_in;
  ropewalk_tensor key_out;
} ropewalk_rotation_call;

/* Input and output as above; the tensor's last extent is the encoding's width. */
typedef struct ropewalk_row_call {
  ropewalk_head head;
  ropewalk_tokens tokens;
  ropewalk_tensor in;
  ropewalk_tensor out;
} ropewalk_row_call;

/* Scores as [batch, queries, heads, keys]: a token is a query, and key j stands at position j. */
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
  const char* name;     /* as the command line spells it: lower case, digits and hyphens */
  int32_t operation;    /* enum ropewalk_operation */
  const ropewalk_promise* promise;
  const ropewalk_limits* limits; /* NULL: none */
  /* Makes a plan that keeps nothing of `encoding`, the head of its operation's encoding struct; on failure *plan is
   * NULL. Returns enum ropewalk_status. */
  int32_t (*plan)(const ropewalk_head* encoding, ropewalk_plan** plan, ropewalk_error* error);
  /* Applies it to a call, given by the head of its operation's call struct. Leaves the caller's floating-point
   * environment as it was; a kernel that promises bits gives them in every such environment (flush-to-zero, another
   * rounding direction), others need not. Returns enum ropewalk_status. */
  int32_t (*apply)(const ropewalk_plan* plan, const ropewalk_head* call, ropewalk_error* error);
  void (*free_plan)(ropewalk_plan* plan); /* NULL is ignored */
} ropewalk_kernel;

#if defined(_WIN32)
#define ROPEWALK_EXPORT __declspec(dllexport)
#else
#define ROPEWALK_EXPORT __attribute__((visibility("default")))
#endif

/* The kernels of this library: *count pointers, valid as long as the library is loaded. */
ROPEWALK_EXPORT const ropewalk_kernel* const* ropewalk_kernels(size_t* count);

#ifdef __cplusplus
}
#endif

#endif
