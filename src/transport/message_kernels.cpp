#include "transport/message_kernels.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "input/bad_input.hpp"
#include "ropewalk/config/head_layout.hpp"
#include "ropewalk/kernel/encoding_check.hpp"
#include "ropewalk/kernel/operation.hpp"
#include "ropewalk/kernel/resolved_alibi.hpp"
#include "ropewalk/kernel/row_plan.hpp"
#include "ropewalk/law/kernel/call_memory.hpp"
#include "ropewalk/law/kernel/kernel_call.hpp"
#include "ropewalk/law/kernel/served_calls.hpp"
#include "transport/described_kernel.hpp"
#include "transport/gathered_call.hpp"
#include "transport/message.hpp"
#include "transport/remote_kernel.hpp"
#include "transport/timed_calls.hpp"

namespace ropewalk::transport {
namespace {

template <class Element>
message_tensor tensor_of(std::string name, std::string dtype, std::vector<std::int64_t> shape,
                         const Element* elements) {
  message_tensor tensor{std::move(name), std::move(dtype), std::move(shape), {}};
  std::size_t count = 1;
  for (const std::int64_t extent : tensor.shape) count *= static_cast<std::size_t>(extent);
  const auto* bytes = reinterpret_cast<const std::byte*>(elements);
  tensor.bytes.assign(bytes, bytes + count * sizeof(Element));
  return tensor;
}

/// A number as text in a message; binary64 reads back unchanged.
std::string number(auto value) { return fmt::format("{}", value); }

void add_pairs(message& to, int pairs, const double* inv_freq, const std::uint32_t* turns,
               const std::uint32_t* turns_256) {
  to.tensors.push_back(tensor_of("inv_freq", "F64", {pairs}, inv_freq));
  to.tensors.push_back(tensor_of("turns", "U32", {pairs, 4}, turns));
  if (turns_256 != nullptr) to.tensors.push_back(tensor_of("turns_256", "U32", {pairs, 8}, turns_256));
}

static_assert(sizeof(ropewalk_real) == 9 * sizeof(std::uint32_t));

/// Numbers of 256 significant bits: eight words and an exponent per number.
message_tensor reals_of(std::string name, std::int64_t count, const ropewalk_real* numbers) {
  return tensor_of(std::move(name), "U32", {count, 9}, reinterpret_cast<const std::uint32_t*>(numbers));
}

void add_encoding(message& to, const ropewalk_rotation& encoding) {
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
  if (encoding.rotary_begin > 0) to.words["rotary_begin"] = number(encoding.rotary_begin);
  add_pairs(to, layout.pairs(), encoding.inv_freq, encoding.turns, encoding.turns_256);
  if (encoding.axes > 1 && encoding.axis != nullptr)
    to.tensors.push_back(tensor_of("axis", "I32", {layout.pairs()}, encoding.axis));
}

void add_encoding(message& to, const ropewalk_row_addition& encoding) {
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
}

void add_encoding(message& to, const ropewalk_bias_addition& encoding) {
  to.words.merge(std::map<std::string, std::string>{{"heads", number(encoding.heads)},
                                                    {"symmetric", number(encoding.is_symmetric)},
                                                    {"form", name_of(form_of(encoding))}});
  to.tensors.push_back(reals_of("slopes", encoding.heads, encoding.slopes));
}

/// Adds the turns of each frequency with whole turns, for kernels that serve positions in binary64. Older
/// kernels get the plans that they know.
template <class Encoding>
void add_real_turns(message& to, const Encoding& encoding, std::int64_t pairs) {
  if (encoding.turns_real != nullptr)
    to.tensors.push_back(reals_of("turns_real", pairs, encoding.turns_real));
}
void add_real_turns(message& to, const ropewalk_rotation& encoding) {
  add_real_turns(to, encoding, encoding.rotary_dim / 2);
}
void add_real_turns(message& to, const ropewalk_row_addition& encoding) {
  add_real_turns(to, encoding, encoding.sinusoidal_channels / 2);
}
void add_real_turns(message&, const ropewalk_bias_addition&) {}

class plan_of_messages : public remote_plan {
 public:
  plan_of_messages(message_transport& transport, const described_kernel& about, const ropewalk_head* encoding)
      : transport_(transport), operation_(about.operation), has_times_(about.has_times) {
    plan_.request.words = {{"request", "plan"}, {"kernel", about.name}};
    visit_operation(operation_, [&]<class Operation>() {
      plan_.request.words["operation"] = operation_word(Operation::number);
      const auto& checked =
          read_struct<typename Operation::encoding>(encoding, Operation::number, "encoding");
      extent_ = extent_of(checked);
      add_encoding(plan_.request, checked);
      if (served_calls(about.limits).serves_real_positions()) add_real_turns(plan_.request, checked);
    });
    id_ = transport_.number_of(plan_.request);
    plan_.request.words["plan"] = id_;
    transport_.make(plan_);
  }

  remote_answer apply(const ropewalk_head* call, const floating_registers&, bool) override {
    const gathered_call dense = gathered(call);
    const message request = request_for("apply", dense);
    const message_transport::call_answer came = answer_or_zeros(dense, request);
    take(came.answer, request, dense);
    return {.status = came.are_bits_other ? other_bits_status : ROPEWALK_OK};
  }

  std::optional<timed_calls> time(const ropewalk_head* call, int calls) override {
    if (!has_times_) return std::nullopt;
    const gathered_call dense = gathered(call);
    message request = request_for("time", dense);
    request.words["calls"] = number(calls);
    const std::optional<message_transport::awaited_answer> came = transport_.time(plan_, request);
    if (!came) return std::nullopt;
    timed_calls result = timed_calls_in(came->answer, calls, came->seconds);
    take(came->answer, request, dense);
    return result;
  }

 private:
  /// Checks a call and gathers its tokens.
  gathered_call gathered(const ropewalk_head* call) const {
    std::optional<gathered_call> result;
    visit_operation(operation_, [&]<class Operation>() {
      result.emplace(checked(read_struct<typename Operation::call>(call, Operation::number, "call"), extent_),
                     extent_.axes);
    });
    return std::move(*result);
  }

  message request_for(const char* what, const gathered_call& dense) const {
    const checked_call& call = dense.call();
    const std::int64_t batch = dense.batch(), tokens = dense.tokens();
    message request{.words = {{"request", what}, {"plan", id_}, {"flags", flags_of(call)}}, .tensors = {}};
    const auto add = [&](const rotated_tensor& tensor, const char* name) {
      if (!tensor.is_present) return;
      message_tensor& sent = request.tensors.emplace_back(
          message_tensor{name,
                         std::string(message_dtype(call.dtype)),
                         {batch, tokens, tensor.in.heads(), tensor.in.channels()},
                         {}});
      sent.bytes.resize(dense.bytes_of(tensor));
      dense.gather(tensor, sent.bytes.data());
    };
    add(call.query, "query");
    add(call.key, "key");
    std::vector<std::int64_t> shape{batch, tokens};
    if (extent_.axes > 1) shape.insert(shape.begin(), extent_.axes);
    request.tensors.push_back(dense.has_real_positions()
                                  ? tensor_of("positions", "F64", shape, dense.real_positions().data())
                                  : tensor_of("positions", "I32", shape, dense.positions().data()));
    return request;
  }

  /// Checks an answer's tensors, then writes them to the call's output.
  static void take(const message& answer, const message& request, const gathered_call& dense) {
    const checked_call& call = dense.call();
    const message_tensor* const query = due(answer, request, "query");
    const message_tensor* const key = call.key.is_present ? due(answer, request, "key") : nullptr;
    dense.scatter(query->bytes.data(), call.query);
    if (key != nullptr) dense.scatter(key->bytes.data(), call.key);
  }

  /// The answer to a request; zeros while it is awaited.
  message_transport::call_answer answer_or_zeros(const gathered_call& call, const message& request) {
    try {
      return transport_.apply(plan_, request);
    } catch (const answer_awaited&) {
      for (const rotated_tensor* const tensor : {&call.call().query, &call.call().key})
        if (tensor->is_present) call.scatter(std::vector<std::byte>(call.bytes_of(*tensor)).data(), *tensor);
      throw;
    }
  }

  static std::string flags_of(const checked_call& call) {
    std::string flags = call.backward ? "backward" : "";
    if (call.unit) flags += flags.empty() ? "unit" : " unit";
    return flags;
  }

  static std::string text_of(const message_tensor& tensor) {
    return fmt::format("{} [{}]", tensor.dtype, fmt::join(tensor.shape, ", "));
  }

  /// The answer's tensor, checked to have the dtype and shape of the request's.
  static const message_tensor* due(const message& answer, const message& request, const char* name) {
    const message_tensor* const tensor = request.find(name);
    const message_tensor* const came = answer.find(name);
    if (came == nullptr) throw bad_message(fmt::format("answered without {}", name));
    if (came->dtype != tensor->dtype || came->shape != tensor->shape)
      throw bad_message(fmt::format("answered with {} {}; due: {}", name, text_of(*came), text_of(*tensor)));
    return came;
  }

  message_transport& transport_;
  ropewalk_operation operation_;
  bool has_times_;
  std::string id_;
  call_extent extent_;
  message_transport::plan plan_;
};

class kernel_of_messages : public remote_kernel {
 public:
  kernel_of_messages(std::shared_ptr<message_transport> transport, described_kernel about)
      : remote_kernel(std::move(about)), transport_(std::move(transport)) {}

  remote_answer plan(const ropewalk_head* encoding, std::unique_ptr<remote_plan>& made) override {
    made = std::make_unique<plan_of_messages>(*transport_, about(), encoding);
    return {};
  }

 private:
  std::shared_ptr<message_transport> transport_;
};

}  // namespace

std::vector<const ropewalk_kernel*> message_kernels(const std::shared_ptr<message_transport>& transport,
                                                    const std::string& process) {
  const message answer = transport->describe();
  if (answer.word("protocol") != protocol)
    throw bad_input("protocol", std::string(answer.word("protocol")), protocol);
  const std::string list = "{\"kernels\": " + std::string(answer.word("kernels")) + "}";
  const input::json described = input::parse_object(list, "kernels", process);
  const input::json& kernels = input::value_of(described, "kernels");
  if (!kernels.is_array() || kernels.empty())
    throw bad_input("kernels", input::shown(kernels), "a list of one or more kernels");
  std::vector<const ropewalk_kernel*> result;
  std::set<std::string> names;
  for (const input::json& kernel : kernels) {
    described_kernel about = described_by(kernel);
    if (!names.insert(about.name).second)
      throw bad_input("kernels.name", about.name, "a name that no other kernel of the program has");
    result.push_back(&keep(std::make_unique<kernel_of_messages>(transport, std::move(about)), process));
  }
  return result;
}

}  // namespace ropewalk::transport
