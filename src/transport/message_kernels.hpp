#pragma once
// Wraps kernels that answer messages as kernels of the C interface. Calls are gathered into dense messages.

#include <memory>
#include <string>
#include <vector>

#include "ropewalk/kernel/kernel.h"
#include "transport/message_transport.hpp"

namespace ropewalk::transport {

/// Requests a description and returns its kernels. They and the transport live until this process ends.
/// `process` names the answering side in errors: "the program".
///
/// throws  no_answer, bad_message, failed_answer, declined_answer, answer_awaited: there is no description
///         std::invalid_argument naming a field of the description, its value and the allowed values
std::vector<const ropewalk_kernel*> message_kernels(const std::shared_ptr<message_transport>& transport,
                                                    const std::string& process);

}  // namespace ropewalk::transport
