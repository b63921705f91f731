#include "door/program_kernels.hpp"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <utility>

#include "door/described_kernel.hpp"
#include "door/message.hpp"
#include "door/program.hpp"
#include "input/bad_input.hpp"
#include "ropewalk/config/head_layout.hpp"
#include "ropewalk/kernel/bias_plan.hpp"
#include "ropewalk/kernel/encoding_check.hpp"
#include "ropewalk/kernel/floating_environment.hpp"
#include "ropewalk/kernel/operation.hpp"
#include "ropewalk/kernel/row_plan.hpp"
#include "ropewalk/kernel/token_places.hpp"
#include "ropewalk/law/kernel/kernel_call.hpp"

namespace ropewalk::door {
namespace {

/// One kernel of a program. The entry points into this object.
struct program_kernel {
  std::shared_ptr<program> of;
  described_kernel about;
  ropewalk_promise promised{};
  ropewalk_kernel entry{};
};

std::deque<program_kernel>& kept_kernels() {
  static std::deque<program_kernel> kept;
  return kept;
}

template <class Element>
message_tensor tensor_of(std::string name, std::string dtype, std::vector<std::int64_t> shape,
                         const Element* elements) {
  message_tensor r{std::move(name), std::move(dtype), std::move(shape), {}};
  std::size_t count = 1;
  for (const std::int64_t extent : r.shape) count *= static_cast<std::size_t>(extent);
  const auto* bytes = reinterpret_cast<const std::byte*>(elements);
  r.bytes.assign(bytes, bytes + count * sizeof(Element));
  return r;
}

/// A number as a word of a message; a binary64 reads back to itself.
std::string number(auto value) { return fmt::format("{}", value); }

void add_pairs(message& to, int pairs, const double* inv_freq, const std::uint32_t* turns,
               const std::uint32_t* turns_256) {
  to.tensors.push_back(tensor_of("inv_freq", "F64", {pairs}, inv_freq));
  to.tensors.push_back(tensor_of("turns", "U32", {pairs, 4}, turns));
  if (turns_256 != nullptr) to.tensors.push_back(tensor_of("turns_256", "U32", {pairs, 8}, turns_256));
}

/// What a plan keeps to check its calls.
struct call_extent {
  std::int64_t channels = 0;  // of a head, or for a bias: heads
  int axes = 1;
};

call_extent add_encoding(message& to, const ropewalk_rotation& encoding) {
  const rotated_layout layout = check(encoding);
  to.words.merge(std::map<std::string, std::string>{
      {"head_dim", number(encoding.head_dim)},
      {"rotary_dim", number(encoding.rotary_dim)},
      {"pairing_in", name_of(layout.head.pairing_in)},
      {"pairing_out", name_of(layout.head.pairing_out)},
      {"axes", number(encoding.axes)},
      {"attention_factor", number(encoding.attention_factor)},
      {"seq_len", number(encoding.seq_len)},
      {"table_begin", number(encoding.table_begin)},
      {"table_end", number(encoding.table_end)},
      {"config", encoding.config_json == nullptr ? "{}" : encoding.config_json}});
  add_pairs(to, layout.pairs(), encoding.inv_freq, encoding.turns, encoding.turns_256);
  if (encoding.axes > 1 && encoding.axis != nullptr)
    to.tensors.push_back(tensor_of("axis", "I32", {layout.pairs()}, encoding.axis));
  return {encoding.head_dim, encoding.axes};
}

call_extent add_encoding(message& to, const ropewalk_row_addition& encoding) {
  const rotated_layout layout = check(rotation_of(encoding));
  to.words.merge(std::map<std::string, std::string>{{"head_dim", number(encoding.width)},
                                                    {"rotary_dim", number(encoding.sinusoidal_channels)},
                                                    {"pairing_in", name_of(layout.head.pairing_in)},
                                                    {"pairing_out", name_of(layout.head.pairing_out)},
                                                    {"cosine_first", number(encoding.cosine_first)},
                                                    {"row_offset", number(encoding.row_offset)},
                                                    {"table_begin", number(encoding.table_begin)},
                                                    {"table_end", number(encoding.table_end)}});
  add_pairs(to, layout.pairs(), encoding.inv_freq, encoding.turns, encoding.turns_256);
  return {encoding.width, 1};
}

call_extent add_encoding(message& to, const ropewalk_bias_addition& encoding) {
  const bias_plan checked(encoding);
  to.words.merge(std::map<std::string, std::string>{{"heads", number(encoding.heads)},
                                                    {"symmetric", number(encoding.is_symmetric)}});
  static_assert(sizeof(ropewalk_real) == 9 * sizeof(std::uint32_t));
  to.tensors.push_back(tensor_of("slopes", "U32", {encoding.heads, 9},
                                 reinterpret_cast<const std::uint32_t*>(encoding.slopes)));
  return {encoding.heads, 1};
}

checked_call checked(const ropewalk_rotation_call& call, const call_extent& of) {
  return check(call, of.channels, of.axes);
}
checked_call checked(const ropewalk_row_call& call, const call_extent& of) {
  return check(call, of.channels);
}
checked_call checked(const ropewalk_bias_call& call, const call_extent& of) {
  return check(call, static_cast<int>(of.channels));
}

/// Turns what a program did wrong into an error that expect_ok shows as it stands.
template <class Body>
std::int32_t answer_for(ropewalk_error* error, Body body) noexcept {
  const default_floating_environment environment;
  return answer(error, [&] {
    try {
      body();
    } catch (const interrupted_wait&) {
      throw refused_call("program", "interrupted", ROPEWALK_UNSUPPORTED);
    } catch (const declined_answer& declined) {
      throw refused_call(printable(declined.field), printable(declined.text), ROPEWALK_UNSUPPORTED);
    } catch (const failed_answer& failed) {
      throw refused_call("program", printable(std::string("the program reports: ") + failed.what()),
                         no_status);
    } catch (const no_answer& none) {
      throw refused_call("program", printable(std::string("the program ") + none.what()), no_status);
    } catch (const bad_message& bad) {
      throw refused_call("program", printable(std::string("the program ") + bad.what()), no_status);
    }
  });
}

class program_plan {
 public:
  program_plan(const program_kernel& of, const ropewalk_head* encoding) : of_(of) {
    static std::atomic<std::int64_t> plans{0};
    id_ = number(++plans);
    plan_.request.words = {{"request", "plan"}, {"plan", id_}, {"kernel", of.about.name}};
    visit_operation(of.about.operation, [&]<class Operation>() {
      plan_.request.words["operation"] = operation_word(Operation::number);
      extent_ = add_encoding(
          plan_.request, read_struct<typename Operation::encoding>(encoding, Operation::number, "encoding"));
    });
    of.of->make(plan_);
  }

  void apply(const ropewalk_head* call) const {
    visit_operation(of_.about.operation, [&]<class Operation>() {
      hand_over(checked(read_struct<typename Operation::call>(call, Operation::number, "call"), extent_));
    });
  }

 private:
  void hand_over(const checked_call& call) const {
    const std::vector<token_place> places = places_of(call);
    const bool is_whole = std::cmp_equal(places.size(), call.query.in.batch() * call.tokens);
    const std::int64_t batch = is_whole ? call.query.in.batch() : 1;
    const std::int64_t tokens = is_whole ? call.tokens : static_cast<std::int64_t>(places.size());
    message request{.words = {{"request", "apply"}, {"plan", id_}, {"flags", flags_of(call)}}, .tensors = {}};
    const auto add = [&](const rotated_tensor& tensor, const char* name) {
      if (!tensor.is_present) return;
      message_tensor& sent = request.tensors.emplace_back(
          message_tensor{name,
                         std::string(message_dtype(call.dtype)),
                         {batch, tokens, tensor.in.heads(), tensor.in.channels()},
                         {}});
      sent.bytes.resize(places.size() * token_bytes(tensor.in));
      gather(tensor.in, places, sent.bytes.data());
    };
    add(call.query, "query");
    add(call.key, "key");
    const std::vector<std::int32_t> positions = positions_of(places, extent_.axes);
    request.tensors.push_back(
        extent_.axes == 1 ? tensor_of("positions", "I32", {batch, tokens}, positions.data())
                          : tensor_of("positions", "I32", {extent_.axes, batch, tokens}, positions.data()));
    const message answer = of_.of->apply(plan_, request);
    const message_tensor* const query = due(answer, request, "query");
    const message_tensor* const key = call.key.is_present ? due(answer, request, "key") : nullptr;
    scatter(query->bytes.data(), places, call.query.out);
    if (key != nullptr) scatter(key->bytes.data(), places, call.key.out);
  }

  static std::string flags_of(const checked_call& call) {
    std::string r = call.backward ? "backward" : "";
    if (call.unit) r += r.empty() ? "unit" : " unit";
    return r;
  }

  static std::string text_of(const message_tensor& tensor) {
    return fmt::format("{} [{}]", tensor.dtype, fmt::join(tensor.shape, ", "));
  }

  /// The answer's tensor, which has the dtype and shape of the request's.
  static const message_tensor* due(const message& answer, const message& request, const char* name) {
    const message_tensor* const wanted = request.find(name);
    const message_tensor* const came = answer.find(name);
    if (came == nullptr) throw bad_message(fmt::format("answered without {}", name));
    if (came->dtype != wanted->dtype || came->shape != wanted->shape)
      throw bad_message(fmt::format("answered with {} {}; due: {}", name, text_of(*came), text_of(*wanted)));
    return came;
  }

  const program_kernel& of_;
  std::string id_;
  call_extent extent_;
  mutable program::plan plan_;  // changed by the program, one request at a time
};

// The C interface gives `plan` no way to tell kernels apart, so each kernel has a function of its own.

constexpr std::size_t most_kernels = 64;

template <std::size_t Index>
std::int32_t make_plan(const ropewalk_head* encoding, ropewalk_plan** plan, ropewalk_error* error) {
  return answer_for(error, [&] {
    require_pointer(plan, {"", "plan"}, "a pointer that receives the plan");
    *plan = nullptr;
    *plan = reinterpret_cast<ropewalk_plan*>(new program_plan(kept_kernels()[Index], encoding));
  });
}

std::int32_t apply_plan(const ropewalk_plan* plan, const ropewalk_head* call, ropewalk_error* error) {
  return answer_for(error, [&] {
    require_pointer(plan, {"", "plan"}, "a plan made by this kernel");
    reinterpret_cast<const program_plan*>(plan)->apply(call);
  });
}

void free_plan(ropewalk_plan* plan) { delete reinterpret_cast<program_plan*>(plan); }

using plan_function = decltype(ropewalk_kernel::plan);

template <std::size_t... Index>
constexpr std::array<plan_function, sizeof...(Index)> plan_functions(std::index_sequence<Index...>) {
  return {make_plan<Index>...};
}

const ropewalk_kernel* keep(const std::shared_ptr<program>& of, described_kernel about) {
  static constexpr auto functions = plan_functions(std::make_index_sequence<most_kernels>{});
  std::deque<program_kernel>& kept = kept_kernels();
  if (kept.size() == most_kernels)
    throw bad_input("kernels", "more than " + std::to_string(most_kernels), "fewer, over all programs");
  program_kernel& r = kept.emplace_back(program_kernel{of, std::move(about), {}, {}});
  r.promised = stated(r.about.promised);
  ropewalk_limits& limits = r.about.limits;
  limits.head_dims = r.about.head_dims.data();
  limits.head_dim_count = static_cast<std::int32_t>(r.about.head_dims.size());
  limits.shapes = reinterpret_cast<const std::int64_t(*)[4]>(r.about.shapes.data());
  limits.shape_count = static_cast<std::int64_t>(r.about.shapes.size());
  r.entry = {.struct_size = sizeof r.entry,
             .abi = ROPEWALK_ABI,
             .name = r.about.name.c_str(),
             .operation = r.about.operation,
             .promise = &r.promised,
             .limits = &limits,
             .plan = functions[kept.size() - 1],
             .apply = apply_plan,
             .free_plan = free_plan};
  return &r.entry;
}

}  // namespace

std::vector<const ropewalk_kernel*> program_kernels(const std::string& command, const child_limits& limits) {
  const auto of = std::make_shared<program>(command, limits);
  const message answer = of->describe();
  if (answer.word("protocol") != protocol)
    throw bad_input("protocol", std::string(answer.word("protocol")), protocol);
  const std::string list = "{\"kernels\": " + std::string(answer.word("kernels")) + "}";
  const input::json described = input::parse_object(list, "kernels", command);
  const input::json& kernels = input::value_of(described, "kernels");
  if (!kernels.is_array() || kernels.empty())
    throw bad_input("kernels", input::shown(kernels), "a list of one or more kernels");
  std::vector<const ropewalk_kernel*> r;
  std::set<std::string> names;
  for (const input::json& one : kernels) {
    described_kernel about = described_by(one);
    if (!names.insert(about.name).second)
      throw bad_input("kernels.name", about.name, "a name that no other kernel of the program has");
    r.push_back(keep(of, std::move(about)));
  }
  return r;
}

}  // namespace ropewalk::door
