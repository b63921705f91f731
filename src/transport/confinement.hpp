#pragma once
// What a library's process may not do to other processes: to the program that judges it above all.

#include <string>

namespace ropewalk::transport {

/// Whether this is a build with sanitizers, which attach to their own process.
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

/// From now on no process of the same user may attach to this one, or read or write its memory; one of root
/// with the capability CAP_SYS_PTRACE still may. There are no core files either. Does nothing in builds with
/// sanitizers.
void hide_memory() noexcept;

/// From now on this process, and each that it starts, has of root's capabilities only the one to read every
/// file. It gets an error (EPERM) where it traces a process, reads or writes another's memory, signals
/// another process, changes another's limits or priority, joins a process group, has signals sent on its
/// behalf (F_SETOWN) or types into a terminal. Where the machine's kernel has Landlock (Linux 5.19, if it is
/// turned on), it cannot open memory, descriptors or environment of any process that it has not started,
/// either. Call it while the process has one thread.
///
/// shape   returns why that cannot be had here: "seccomp: Invalid argument"; empty if it holds
std::string confine_this_process();

}  // namespace ropewalk::transport
