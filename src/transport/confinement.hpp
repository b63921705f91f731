#pragma once
// Restricts what a library's process can do to other processes, above all to the verifier.

#include <string>

namespace ropewalk::transport {

/// Whether this build has sanitizers, which attach to their own process.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool is_sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif
#else
inline constexpr bool is_sanitized = false;
#endif

/// From now on no process of the same user may attach to this one, or read or write its memory. A process of
/// root with CAP_SYS_PTRACE still may. Also disables core files. No effect in builds with sanitizers.
void hide_memory() noexcept;

/// Confines this process and all processes that it starts. Of root's capabilities they keep only the one to
/// read every file. They get an error (EPERM) if they trace a process, read or write another's memory, signal
/// another process, change another's limits or priority, join a process group, have signals sent on their
/// behalf (F_SETOWN) or type into a terminal. With Landlock (Linux 5.19, if enabled) they also cannot open
/// memory, descriptors or environment of processes that they did not start. Call it while the process has one
/// thread.
///
/// shape   returns why the system refuses: "seccomp: Invalid argument"; empty on success
std::string confine_this_process();

}  // namespace ropewalk::transport
