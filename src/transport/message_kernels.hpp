#pragma once
// Kernels that answer messages, as kernels of the C interface: calls are gathered into dense messages.

#include <memory>
#include <string>
#include <vector>

#include "ropewalk/kernel/kernel.h"
#include "transport/message_transport.hpp"

namespace ropewalk::transport {

/// Asks for a description and returns the kernels in it. They and the transport live until this process ends.
/// `process` names what answers, in errors: "the program".
///
/// throws  no_answer, bad_message, failed_answer, declined_answer, answer_awaited: there is no description
///         std::invalid_argument naming a field of the description, its value and what is allowed
std::vector<const ropewalk_kernel*> message_kernels(const std::shared_ptr<message_transport>& transport,
                                                    const std::string& process);

}  // namespace ropewalk::transport
