// Holds slopes of a user's own to the laws of ropewalk/laws.hpp, which the component `laws` links.
#include <cstdio>
#include <ropewalk/laws.hpp>
#include <ropewalk/table/alibi_table.hpp>

int main() {
  const ropewalk::slope_source right = [](const ropewalk::alibi& config) {
    return ropewalk::alibi_slopes<double>(config);
  };
  const ropewalk::slope_source sorted_wrongly = [&](const ropewalk::alibi& config) {
    auto slopes = right(config);
    std::swap(slopes.front(), slopes.back());
    return slopes;
  };
  int broken = 0;
  for (const auto& law : ropewalk::slope_laws::all) {
    const ropewalk::checked_slopes kept{right, {.heads = 8}}, faulty{sorted_wrongly, {.heads = 8}};
    if (!law.measure(kept, {}).holds) return 1;
    if (!law.measure(faulty, {}).holds) ++broken;
  }
  std::printf("%d laws broken by slopes in a wrong order\n", broken);
  return broken > 0 ? 0 : 1;
}
