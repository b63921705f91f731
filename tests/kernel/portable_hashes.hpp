#pragma once
// One hash for each group of portable cases, from the mirror or from a kernel; and hashes of frequencies,
// turns and rows.

#include <cstdint>
#include <fstream>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/portable_cases.hpp"
#include "ropewalk/kernel/floating_environment.hpp"
#include "ropewalk/table/inv_freq_table.hpp"
#include "ropewalk/table/turns_table.hpp"

namespace ropewalk::test {

using hashes = std::map<std::string, std::uint64_t>;

/// The input of a case: the same numbers on every machine.
inline tensors contents_of(const portable_group& group, const rotation_case& rotation) {
  std::mt19937_64 random(group.cases.size());
  tensors result = random_tensors(rotation, random);
  if (group.elements == contents::any_bits) return result;
  with_format(rotation.dtype, [&]<class Float>() {
    using traits = format<Float>;
    constexpr bits_of<Float> kept = traits::fraction_mask | traits::sign_bit;
    for (auto* items : {&result.query, &result.key})
      for (std::size_t i = 0; i < items->size(); ++i) {
        const auto near_one = static_cast<std::uint64_t>(traits::bias - 1 + static_cast<int>(random() % 3));
        const std::uint64_t fresh = random();
        if (group.elements == contents::near_one)
          (*items)[i] = (fresh & kept) | (near_one << (traits::precision - 1));
        else  // an odd factor permutes the 16-bit patterns
          (*items)[i] = static_cast<bits_of<Float>>(sizeof(bits_of<Float>) == 2 ? i * 40503 : fresh);
      }
  });
  return result;
}

/// FNV-1a, 64 bits, of words in little-endian order.
class fnv1a {
 public:
  void add(std::uint64_t word) {
    for (int byte = 0; byte < 8; ++byte) value_ = (value_ ^ (word >> (8 * byte) & 0xff)) * 0x100000001b3;
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

/// Adds elements to a hash: every computed NaN as the same NaN, channels that pass through by their bits.
inline void add(fnv1a& hash, const rotation_case& rotation, const std::vector<std::uint64_t>& elements) {
  with_format(rotation.dtype, [&]<class Float>() {
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const auto channel = static_cast<int>(i % static_cast<std::size_t>(rotation.layout.head_dim));
      const bool is_computed = channel < rotation.encoding.rotary_dim;
      const bool hides = is_computed && is_nan<Float>(static_cast<bits_of<Float>>(elements[i]));
      hash.add(hides ? format<Float>::quiet_nan : elements[i]);
    }
  });
}

/// Hash of the outputs of a group, where turned(group, index, in) gives the output of one case.
template <class Turned>
std::uint64_t hash_of(const portable_group& group, Turned turned) {
  fnv1a hash;
  for (std::size_t i = 0; i < group.cases.size(); ++i) {
    const tensors out = turned(group, i, contents_of(group, group.cases[i]));
    add(hash, group.cases[i], out.query);
    add(hash, group.cases[i], out.key);
  }
  return hash.value();
}

inline tensors turned_by_mirror(const portable_group& group, std::size_t index, const tensors& in) {
  return canonical(group.cases[index], in);
}

/// Runs `work` in the caller's environment `around`, and throws if `work` changes that environment.
template <class Work>
std::int32_t in_environment(const floating_registers& around, Work work) {
  const floating_registers saved = read_floating_registers();
  write_floating_registers(around);
  const floating_registers before = read_floating_registers();
  const std::int32_t status = work();
  const floating_registers after = read_floating_registers();
  write_floating_registers(saved);
  if (after != before) throw std::runtime_error("the caller's floating environment did not come back");
  return status;
}

/// The output of a kernel for a case, where its caller has set the environment `around`.
class turned_by_kernel {
 public:
  turned_by_kernel(const ropewalk_kernel& kernel, const floating_registers& around)
      : kernel_(kernel), around_(around) {}

  tensors operator()(const portable_group& group, std::size_t index, const tensors& in) const {
    const ropewalk_rotation encoding = group.resolved[index]->view();
    ropewalk_plan* plan = nullptr;
    ropewalk_error error{};
    const auto require_ok = [&](std::int32_t status) {
      if (status != ROPEWALK_OK) throw std::runtime_error(std::string(error.field) + ' ' + error.text);
    };
    require_ok(in_environment(around_, [&] { return kernel_.plan(&encoding.head, &plan, &error); }));
    laid_out memory(group.cases[index], in);
    ropewalk_rotation_call call = memory.call;
    const std::int64_t tokens = call.tokens.end;
    for (std::int64_t piece = group.pieces - 1; piece >= 0; --piece) {
      call.tokens.begin = tokens * piece / group.pieces;
      call.tokens.end = tokens * (piece + 1) / group.pieces;
      require_ok(in_environment(around_, [&] { return kernel_.apply(plan, &call.head, &error); }));
    }
    kernel_.free_plan(plan);
    if (!memory.guards_are_intact()) throw std::runtime_error("bytes beside the output were written");
    return memory.read();
  }

 private:
  ropewalk_kernel kernel_;
  floating_registers around_;
};

inline hashes mirror_hashes() {
  hashes result;
  for (const portable_group& group : portable_groups()) result[group.name] = hash_of(group, turned_by_mirror);
  return result;
}

/// Hashes of the groups whose format the kernel serves.
inline hashes kernel_hashes(const ropewalk_kernel& kernel, const floating_registers& around) {
  const bool has_f64 = !std::string_view(kernel.name).starts_with("cpu-turns");
  hashes result;
  for (const portable_group& group : portable_groups())
    if (has_f64 || group.cases.front().dtype != ROPEWALK_F64)
      result[group.name] = hash_of(group, turned_by_kernel(kernel, around));
  return result;
}

/// Hashes of frequencies, turns and rows, computed without a kernel, in integer arithmetic alone.
inline hashes table_hashes() {
  hashes result;
  fnv1a turns, inv_freq, rows;
  for (const rotation_case& rotation : detail::every_scaling()) {
    for (const auto& fraction : turn_fractions<8>(rotation.encoding))
      for (const std::uint32_t word : fraction) turns.add(word);
    const rope_rows all(rotation.encoding);
    for (const ropewalk_dtype dtype : all_dtypes)
      with_format(dtype, [&]<class Float>() {
        for (const auto bits : inv_freqs<Float>(rotation.encoding)) inv_freq.add(bits);
        constexpr std::int64_t count = 3;  // consecutive rows, whose first is replaced by a row made alone
        const auto pairs = static_cast<std::size_t>(all.pairs());
        std::vector<bits_of<Float>> cos(pairs * count), sin(pairs * count);
        for (const bool unit : {false, true})
          for (const std::int64_t first : {std::int64_t{-1}, smallest_position, std::int64_t{1435833356}}) {
            all.rows<Float>({first, first + count}, unit, cos.data(), sin.data());
            all.row<Float>(first + 1, unit, cos.data(), sin.data());
            for (const auto* value : {&cos, &sin})
              for (const auto bits : *value) rows.add(bits);
          }
      });
  }
  result["tables/turns"] = turns.value();
  result["tables/inv-freq"] = inv_freq.value();
  result["tables/rows"] = rows.value();
  return result;
}

/// Reads lines `NAME HASH`, and skips lines that begin with #.
inline hashes read_hashes(const std::string& path) {
  std::ifstream file(path);
  hashes result;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    const std::size_t space = line.find(' ');
    result[line.substr(0, space)] = std::stoull(line.substr(space + 1), nullptr, 16);
  }
  if (result.empty()) throw std::runtime_error(path + " has no hashes");
  return result;
}

}  // namespace ropewalk::test
