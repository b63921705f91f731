#ifndef ROPEWALK_KERNEL_H
#define ROPEWALK_KERNEL_H
/* What a kernel is: the C11 interface that ropewalk's own library and a foreign library export alike.
 *
 * A library exports one function, ropewalk_kernels. Each kernel makes a plan from a resolved encoding
 * (numbers, never a scaling rule) and applies it to tensors. Nothing here allocates for the caller, starts
 * threads or keeps global state; one plan may be applied from many threads at once. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ROPEWALK_ABI 1u

/* Formats of tensor elements: IEEE 754 binary64, binary32, binary16, and bfloat16. */
enum ropewalk_dtype { ROPEWALK_F64 = 0, ROPEWALK_F32 = 1, ROPEWALK_F16 = 2, ROPEWALK_BF16 = 3 };

/* What a kernel does to its tensors. */
enum ropewalk_operation {
  ROPEWALK_ROTATE = 0,  /* rotary embedding: turns each channel pair of query and key */
  ROPEWALK_ADD_ROW = 1, /* sinusoidal encoding: adds a position's row to each head of its token */
  ROPEWALK_ADD_BIAS = 2 /* ALiBi: adds -slope x distance to attention scores */
};

/* What a kernel claims, and what it is judged by. */
enum ropewalk_promise {
  ROPEWALK_EXACT = 0,         /* every output is the exact value rounded once, to nearest even */
  ROPEWALK_CANONICAL = 1,     /* the canonical operation's bits, for every input */
  ROPEWALK_ROUNDED_TABLE = 2, /* cos and sin correctly rounded to binary32, then any operation order in it */
  ROPEWALK_DTYPE_TABLE = 3,   /* cos and sin rounded to the data's format, then any order of operations */
  ROPEWALK_ANGLE_F32 = 4      /* angle formed in binary32, everything else as ROUNDED_TABLE */
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

/* A positive real number rounded to 256 significant bits: sum of significand[k] 2^(32 k), times 2^exponent;
 * the highest bit of significand[7] is set. */
typedef struct ropewalk_real {
  uint32_t significand[8];
  int32_t exponent;
} ropewalk_real;

/* An encoding, resolved: what is left of a configuration once every rule has been applied. A rotation reads the
 * fields down to config_json. ADD_ROW reads of them head_dim (the width of a row), rotary_dim (its channels that
 * hold sines and cosines; the others are not added to), pairing_out (which two channels are a pair's), inv_freq,
 * turns, turns_256, table_begin and table_end. ADD_BIAS reads none of them. */
typedef struct ropewalk_encoding {
  uint32_t struct_size; /* sizeof(ropewalk_encoding) */
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
  const char* config_json; /* the configuration as JSON text, for whoever wants it; NULL if there is none */
  /* ADD_ROW */
  int32_t cosine_first; /* 0: a pair's channels are its sine and its cosine; 1: its cosine and its sine */
  int32_t row_offset; /* 0: position p has row p. Above 0: it has row p + row_offset, and position -1 zeros */
  /* ADD_BIAS */
  int32_t heads;
  int32_t is_symmetric;        /* 0: -slope (query - key); 1: -slope |query - key| */
  const ropewalk_real* slopes; /* [heads], each correctly rounded, from 2^-101 to 2^100 */
} ropewalk_encoding;

/* A view of elements, at any alignment. Rank 4 is [batch, tokens, heads, head_dim], rank 3 [tokens, heads,
 * head_dim]. Strides count elements and may be negative; a stride of zero is for reading alone. Unused
 * entries of shape and stride are ignored. */
typedef struct ropewalk_tensor {
  void* data;
  int32_t dtype; /* enum ropewalk_dtype */
  int32_t rank;  /* 3 or 4 */
  int64_t shape[4];
  int64_t stride[4];
} ropewalk_tensor;

/* Of a rotation; an addition has no flags. */
#define ROPEWALK_BACKWARD 1u /* the adjoint, a R(-t) */
#define ROPEWALK_UNIT 2u     /* attention factor 1, for shifting keys that already carry it */

/* One application of a plan. A tensor with data == NULL is absent; query is required, key is optional and may
 * have another number of heads, but the query's dtype, rank, batch and tokens. Input and output are either
 * the same view (in place) or do not overlap. An addition has no key; the tensor of ADD_BIAS is scores, seen as
 * [batch, queries, heads, keys]: a token is a query, and key j stands at position j. */
typedef struct ropewalk_call {
  uint32_t struct_size; /* sizeof(ropewalk_call) */
  uint32_t flags;
  ropewalk_tensor query_in;
  ropewalk_tensor query_out;
  ropewalk_tensor key_in;
  ropewalk_tensor key_out;
  /* Position of token t of batch row b on axis x: positions[x position_stride[0] + b position_stride[1] + t
   * position_stride[2]]. NULL: tokens are counted from 0 in each batch row, or in each sequence. */
  const int32_t* positions;
  int64_t position_stride[3];
  /* Rank 3 only, NULL when absent: sequence i is tokens sequence_offset[i] .. sequence_offset[i + 1] - 1;
   * sequences + 1 entries, rising from 0 to the number of tokens. */
  const int64_t* sequence_offset;
  int64_t sequences;
  /* Tokens to do, counted through batch rows: token_begin <= b * tokens + t < token_end. Callers split work
   * so. */
  int64_t token_begin;
  int64_t token_end;
} ropewalk_call;

typedef struct ropewalk_plan ropewalk_plan;

typedef struct ropewalk_kernel {
  uint32_t struct_size; /* sizeof(ropewalk_kernel) */
  uint32_t abi;         /* ROPEWALK_ABI */
  const char* name;     /* as the command line spells it: lower case, digits and hyphens */
  int32_t promise;      /* enum ropewalk_promise */
  int32_t operation;    /* enum ropewalk_operation */
  /* Makes a plan that keeps nothing of `encoding`; on failure *plan is NULL. Returns enum ropewalk_status. */
  int32_t (*plan)(const ropewalk_encoding* encoding, ropewalk_plan** plan, ropewalk_error* error);
  /* Applies it. Saves, sets and restores the floating-point environment. Returns enum ropewalk_status. */
  int32_t (*apply)(const ropewalk_plan* plan, const ropewalk_call* call, ropewalk_error* error);
  void (*free_plan)(ropewalk_plan* plan); /* NULL is ignored */
} ropewalk_kernel;

#if defined(_WIN32)
#define ROPEWALK_EXPORT __declspec(dllexport)
#else
#define ROPEWALK_EXPORT __attribute__((visibility("default")))
#endif

/* The kernels of this library: *count of them, valid as long as the library is loaded. */
ROPEWALK_EXPORT const ropewalk_kernel* ropewalk_kernels(size_t* count);

#ifdef __cplusplus
}
#endif

#endif
