#include "inv_freq.h"
#include "model/cosine.h"

static_assert(sizeof ropewalk_inv_freq == 64 * sizeof(float));
static_assert(ropewalk_inv_freq[1] == 0x1.a11582p-1f);
static_assert(sizeof model_cos == 8 * sizeof ropewalk_inv_freq);
static_assert(model_cos[7][2] == 0x1.78d816p-1f);

int main() {}
