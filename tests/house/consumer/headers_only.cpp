#include "ropewalk/table/inv_freq_table.hpp"

constexpr auto inv_freq = ropewalk::inv_freq_table<float, ropewalk::rope{.base = 10000, .rotary_dim = 128}>;
static_assert(inv_freq.size() == 64);
static_assert(inv_freq[0] == 1.0F);

int main() {}
