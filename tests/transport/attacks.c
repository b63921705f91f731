/* A library whose one kernel rotates rightly, and first attacks the program that judges it and its watcher,
 * in each way that ROPEWALK_ATTACKS names. It prints each name before, and ends its process with a number of
 * its own after an attack that was not refused. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define ropewalk_kernels example_kernels
#include "../../src/package/example_kernel.c"
#undef ropewalk_kernels

static pid_t parent_of(pid_t process) {
  char path[64], stat[512] = "";
  snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
  FILE* const file = fopen(path, "r");
  if (!file || !fgets(stat, sizeof stat, file)) _exit(90);
  fclose(file);
  return atoi(strrchr(stat, ')') + 4);
}

/* Whether a file of a process can be opened. */
static int opens(pid_t process, const char* name, int how) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", (int)process, name);
  const int file = open(path, how);
  if (file >= 0) close(file);
  return file >= 0;
}

/* Asks that a full pipe's other end sends its owner a signal when it is read. */
static int signals_by_pipe(pid_t to) {
  int ends[2];
  if (pipe(ends) || fcntl(ends[0], F_SETOWN, to)) return 0;
  if (fcntl(ends[0], F_SETSIG, SIGKILL)) return 0;
  if (fcntl(ends[0], F_SETFL, O_ASYNC | O_NONBLOCK)) return 0;
  return write(ends[1], "x", 1) == 1;
}

static int queues(long call, pid_t process) {
  siginfo_t about;
  memset(&about, 0, sizeof about);
  about.si_code = SI_QUEUE, about.si_signo = SIGKILL, about.si_pid = getpid(), about.si_uid = getuid();
  return syscall(call, process, SIGKILL, &about) == 0;
}

/* Whether an attack on a process succeeds. */
static int succeeds(const char* attack, pid_t on) {
  char byte = 0;
  struct iovec own = {&byte, 1}, far = {(void*)(uintptr_t)&errno, 1};
  struct rlimit none = {0, 0};
  const int by_pidfd = (int)syscall(SYS_pidfd_open, on, 0);
#define IS(name) (strcmp(attack, name) == 0)
  if (IS("attach")) return ptrace(PTRACE_ATTACH, on, 0, 0) == 0;
  if (IS("seize")) return ptrace(PTRACE_SEIZE, on, 0, 0) == 0;
  if (IS("read-memory")) return process_vm_readv(on, &own, 1, &far, 1, 0) == 1 || errno == EFAULT;
  if (IS("write-memory")) return process_vm_writev(on, &own, 1, &far, 1, 0) == 1 || errno == EFAULT;
  if (IS("open-memory")) return opens(on, "mem", O_RDWR) || opens(on, "mem", O_RDONLY);
  if (IS("look-into-shell")) { /* which started the judge, and does not hide its memory */
    const pid_t shell = parent_of(on);
    return opens(shell, "mem", O_RDONLY) || opens(shell, "environ", O_RDONLY) ||
           opens(shell, "fd/1", O_WRONLY);
  }
  if (IS("open-descriptors")) return opens(on, "fd/0", O_RDONLY) || opens(on, "fd/1", O_WRONLY);
  if (IS("take-descriptor")) return syscall(SYS_pidfd_getfd, by_pidfd, 0, 0) >= 0;
  if (IS("kill")) return kill(on, SIGKILL) == 0;
  if (IS("stop")) return kill(on, SIGSTOP) == 0;
  if (IS("kill-group")) return kill(-getpgid(on), SIGKILL) == 0;
  if (IS("kill-all")) return kill(-1, 0) == 0; /* 0: asks whether it could */
  if (IS("tkill")) return syscall(SYS_tkill, on, SIGKILL) == 0;
  if (IS("tgkill")) return syscall(SYS_tgkill, on, on, SIGKILL) == 0;
  if (IS("queue")) return queues(SYS_rt_sigqueueinfo, on);
  if (IS("pidfd-signal")) return syscall(SYS_pidfd_send_signal, by_pidfd, SIGKILL, 0, 0) == 0;
  if (IS("owner")) return signals_by_pipe(on);
  if (IS("join-group")) return setpgid(0, getpgid(on)) == 0;
  if (IS("limit")) return prlimit(on, RLIMIT_CPU, &none, 0) == 0;
  if (IS("priority"))
    return setpriority(PRIO_PROCESS, (id_t)on, 19) == 0 || setpriority(PRIO_USER, 0, 19) == 0;
  if (IS("type")) return ioctl(STDERR_FILENO, TIOCSTI, &byte) == 0 || errno != EPERM;
#if defined(__x86_64__)
  if (IS("other-abi")) { /* kill of 32-bit programs, which has another number; by a child, as some kernels
                            have no such call and end who makes it */
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
      long done = 37;
      __asm__ volatile("int $0x80" : "+a"(done) : "b"((long)on), "c"((long)SIGKILL) : "memory");
      _exit(done == 0);
    }
    return waitpid(child, &status, 0) != child || (WIFEXITED(status) && WEXITSTATUS(status) != 0);
  }
  if (IS("x32")) return syscall(0x40000000 + SYS_kill, on, SIGKILL) == 0;
#endif
  if (IS("silence"))
    for (;;) pause();
  if (IS("child")) { /* a child that it starts is confined, too */
    int status = 0;
    const pid_t child = fork();
    if (child == 0) _exit(kill(on, SIGKILL) == 0 || ptrace(PTRACE_ATTACH, on, 0, 0) == 0);
    return waitpid(child, &status, 0) == child && status != 0;
  }
  if (IS("program")) { /* and a program */
    char line[64];
    snprintf(line, sizeof line, "kill -KILL %d 2>/dev/null", (int)on);
    return system(line) == 0;
  }
  _exit(91);
}

static int32_t apply_hostile(const ropewalk_plan* plan, const ropewalk_head* head, ropewalk_error* e) {
  static int is_made;
  if (!is_made) {
    is_made = 1;
    const pid_t watcher = getppid(), judge = parent_of(watcher);
    const char* const wanted = getenv("ROPEWALK_ATTACKS");
    char* const names = wanted ? strdup(wanted) : NULL;
    for (char* name = names ? strtok(names, " ") : NULL; name; name = strtok(NULL, " ")) {
      fprintf(stderr, "attack: %s\n", name);
      const int on_watcher = strcmp(name, "look-into-shell") != 0 && succeeds(name, watcher),
                on_judge = succeeds(name, judge);
      if (on_watcher || on_judge) _exit(100 + 10 * on_judge + on_watcher);
    }
    free(names);
  }
  return apply(plan, head, e);
}

static const ropewalk_kernel hostile = {.struct_size = sizeof(ropewalk_kernel),
                                        .abi = ROPEWALK_ABI,
                                        .name = "hostile",
                                        .operation = ROPEWALK_ROTATE,
                                        .promise = &promise,
                                        .limits = &limits,
                                        .plan = plan,
                                        .apply = apply_hostile,
                                        .free_plan = free_plan};

const ropewalk_kernel* const* ropewalk_kernels(size_t* count) {
  static const ropewalk_kernel* const all[] = {&hostile};
  *count = 1;
  return all;
}
