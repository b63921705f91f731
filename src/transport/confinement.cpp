#include "transport/confinement.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <linux/securebits.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <system_error>
#include <vector>

namespace ropewalk::transport {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t own_architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t own_architecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t own_architecture = 0;  // no filter for this architecture
#endif

std::string why(const char* what) {
  return std::string(what) + ": " + std::generic_category().message(errno);
}

// Numbers of newer calls; the same on both architectures.
constexpr int pidfd_send_signal = 424, io_uring_setup = 425, pidfd_getfd = 438, process_madvise = 440,
              landlock_create_ruleset = 444, landlock_add_rule = 445, landlock_restrict_self = 446;

/// A filter of system calls (classic BPF). Between its parts, the accumulator contains the call's number.
class call_filter {
 public:
  call_filter() {
    load(offsetof(seccomp_data, arch));
    unless_equal(own_architecture, 1);  // 32-bit calls have other numbers
    refuse(ENOSYS);
    load(offsetof(seccomp_data, nr));
#if defined(__x86_64__)
    constexpr std::uint32_t x32_calls = 0x40000000;
    rules_.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, x32_calls, 0, 1));
    refuse(ENOSYS);
#endif
  }

  /// Refuses a call with any arguments.
  void forbid(int call, int error = EPERM) {
    rules_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 1));
    refuse(error);
  }
  /// Refuses a call unless the low half of an argument is one of these.
  void allow_only(int call, std::size_t argument, std::initializer_list<std::uint32_t> values) {
    compare(call, argument, values, SECCOMP_RET_ALLOW, refused(EPERM));
  }
  /// Refuses a call if the low half of an argument is one of these. Each call has one rule: the first
  /// decides.
  void forbid_of(int call, std::size_t argument, std::initializer_list<std::uint32_t> values) {
    compare(call, argument, values, refused(EPERM), SECCOMP_RET_ALLOW);
  }

  /// Refuses a call unless the low half of argument 0 is `first`, and that of argument 1 is in `seconds`.
  void allow_only_both(int call, std::uint32_t first, std::initializer_list<std::uint32_t> seconds) {
    const auto count = static_cast<std::uint8_t>(seconds.size());
    rules_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0,
                              static_cast<std::uint8_t>(count + 6)));
    load_argument(0);
    rules_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, first, 1, 0));
    refuse(EPERM);
    load_argument(1);
    std::uint8_t left = count;
    for (const std::uint32_t value : seconds) unless_equal(value, left--);
    refuse(EPERM);
    answer(SECCOMP_RET_ALLOW);
  }

  std::vector<sock_filter> finished() && {
    answer(SECCOMP_RET_ALLOW);
    return std::move(rules_);
  }

 private:
  static constexpr std::uint32_t refused(int error) {
    return SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error);
  }
  void load(std::size_t offset) {
    rules_.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)));
  }
  /// Loads the low half of an argument.
  void load_argument(std::size_t argument) {
    static_assert(std::endian::native == std::endian::little);
    load(offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t));
  }
  void answer(std::uint32_t value) { rules_.push_back(BPF_STMT(BPF_RET | BPF_K, value)); }
  void refuse(int error) { answer(refused(error)); }
  /// Skips `skipped` rules if the accumulator equals the value.
  void unless_equal(std::uint32_t value, std::uint8_t skipped) {
    rules_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, skipped, 0));
  }
  void compare(int call, std::size_t argument, std::initializer_list<std::uint32_t> values,
               std::uint32_t if_found, std::uint32_t otherwise) {
    const auto count = static_cast<std::uint8_t>(values.size());
    rules_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0,
                              static_cast<std::uint8_t>(count + 3)));
    load_argument(argument);
    std::uint8_t left = count;
    for (const std::uint32_t value : values) unless_equal(value, left--);
    answer(otherwise);
    answer(if_found);
  }

  std::vector<sock_filter> rules_;
};

std::vector<sock_filter> filter_for(std::uint32_t self) {
  call_filter filter;
  // Memory and descriptors of other processes.
  if (!is_sanitized) filter.forbid(SYS_ptrace);
  for (const int call :
       {SYS_process_vm_readv, SYS_process_vm_writev, process_madvise, pidfd_getfd, SYS_perf_event_open,
        SYS_open_by_handle_at, SYS_kcmp, SYS_migrate_pages, SYS_move_pages})
    filter.forbid(call);
  filter.forbid(io_uring_setup, ENOSYS);  // its requests bypass the filter
  // Signals: allowed only to this process, not to a group. Children get an error even if they signal
  // themselves.
  for (const int call : {SYS_kill, SYS_tkill, SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo})
    filter.allow_only(call, 0, {self});
  filter.forbid(pidfd_send_signal);
  // Signals sent by the kernel for a descriptor's owner, and groups signalled by a terminal.
  filter.forbid_of(SYS_fcntl, 1, {F_SETOWN, F_SETSIG, F_SETOWN_EX});
  constexpr std::uint32_t set_owner = 0x8901, set_group = 0x8902;  // FIOSETOWN, SIOCSPGRP
  // Requests that type into, stop or change another process's terminal, or signal its users. The newer
  // settings are TCSETS2, TCSETSW2 and TCSETSF2 of <asm/termbits.h>; signal_all is TIOCSIG.
  constexpr std::uint32_t set_newer = 0x402c542b, signal_all = 0x40045436, hang_up = 0x5437;
  filter.forbid_of(SYS_ioctl, 1,
                   {set_owner, set_group,     TIOCSTI,       TIOCSPGRP,  TIOCSCTTY,  TIOCLINUX, TCXONC,
                    TCFLSH,    TCSBRK,        TCSBRKP,       TIOCSBRK,   TIOCSWINSZ, TIOCSETD,  TIOCEXCL,
                    TIOCCONS,  TCSETS,        TCSETSW,       TCSETSF,    TCSETA,     TCSETAW,   TCSETAF,
                    set_newer, set_newer + 1, set_newer + 2, signal_all, hang_up});
  filter.forbid(SYS_setpgid);
  // Limits and priorities of other processes.
  for (const int call : {SYS_prlimit64, SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr})
    filter.allow_only(call, 0, {0, self});
  constexpr std::uint32_t a_process = 1;  // IOPRIO_WHO_PROCESS
  filter.allow_only_both(SYS_setpriority, PRIO_PROCESS, {0, self});
  filter.allow_only_both(SYS_ioprio_set, a_process, {0, self});
  return std::move(filter).finished();
}

/// Drops root's capabilities for good, except for reading files, which a kernel of root may need.
std::string give_up_capabilities() {
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> has{};
  if (::syscall(SYS_capget, &header, has.data()) != 0) return why("capget");
  if ((has[0].permitted | has[1].permitted) == 0) return {};
  // Programs that it runs must not regain them either, for example by a set-user-ID bit.
  ::prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED, 0, 0, 0);
  for (unsigned long first = 0; ::prctl(PR_CAPBSET_DROP, first, 0, 0, 0) == 0; ++first) {
  }
  constexpr std::uint32_t reading = 1U << CAP_DAC_READ_SEARCH;
  const std::uint32_t kept = has[0].permitted & reading;
  has = {};
  has[0].permitted = has[0].effective = kept;
  return ::syscall(SYS_capset, &header, has.data()) == 0 ? "" : why("capset");
}

/// Enters a Landlock domain. Its processes cannot inspect processes outside it (memory, descriptors and
/// environment below /proc), even of the same owner. A domain must also restrict some file operation: here,
/// making a block device, which is allowed again below the root. Moving files between directories would be
/// restricted unless allowed. No effect if the machine's kernel lacks Landlock, or has its first version,
/// which cannot allow that.
void enter_domain() {
  constexpr std::uint32_t ask_version = 1;
  constexpr std::uint64_t make_block_device = 1 << 11, move_between_directories = 1 << 13;
  constexpr int rule_of_directory = 1;
  if (::syscall(landlock_create_ruleset, nullptr, 0, ask_version) < 2) return;
  const std::uint64_t restricted = make_block_device | move_between_directories;
  const int domain = static_cast<int>(::syscall(landlock_create_ruleset, &restricted, sizeof restricted, 0));
  const int root = ::open("/", O_PATH | O_CLOEXEC);
  struct [[gnu::packed]] {
    std::uint64_t allowed;
    std::int32_t directory;
  } const rule{restricted, root};
  if (domain >= 0 && root >= 0 && ::syscall(landlock_add_rule, domain, rule_of_directory, &rule, 0) == 0)
    ::syscall(landlock_restrict_self, domain, 0);
  if (root >= 0) ::close(root);
  if (domain >= 0) ::close(domain);
}

}  // namespace

void hide_memory() noexcept {
  if (!is_sanitized) ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

std::string confine_this_process() {
  const std::string kept_capabilities = give_up_capabilities();
  if (own_architecture == 0) return "seccomp: no filter for this architecture";
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return why("no_new_privs");
  enter_domain();
  std::vector<sock_filter> rules = filter_for(static_cast<std::uint32_t>(::getpid()));
  const sock_fprog filter{static_cast<unsigned short>(rules.size()), rules.data()};
  // Without the flag, older kernels slow down a filtered process; still older ones do not know it.
  if (::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &filter) != 0 &&
      ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) != 0)
    return why("seccomp");
  return kept_capabilities;
}

}  // namespace ropewalk::transport
