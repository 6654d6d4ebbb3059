// SPDX-License-Identifier: MIT
// A list of what is allowed, as a program of the kernel's packet filter; all else fails with EPERM.
#include "tools/rodeo/sandbox.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <system_error>
#include <vector>

#include "engine/kernel/kernel.h"
#include "engine/loop/rights.h"

namespace rodeo::tools {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#elif defined(__riscv)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_RISCV64;
#endif

constexpr uid_t kNobody = 65534;

/// Reading, memory, time, the end.
constexpr std::array kAllowed{__NR_read,
                              __NR_readv,
                              __NR_pread64,
                              __NR_write,
                              __NR_writev,
                              __NR_lseek,
                              __NR_close,
                              __NR_fstat,
                              __NR_newfstatat,
                              __NR_statx,
                              __NR_mmap,
                              __NR_mprotect,
                              __NR_munmap,
                              __NR_mremap,
                              __NR_madvise,
                              __NR_brk,
                              __NR_futex,
                              __NR_clock_gettime,
                              __NR_clock_nanosleep,
                              __NR_nanosleep,
                              __NR_gettimeofday,
                              __NR_getpid,
                              __NR_gettid,
                              __NR_getrandom,
                              __NR_rt_sigaction,
                              __NR_rt_sigprocmask,
                              __NR_rt_sigreturn,
                              __NR_sigaltstack,
                              __NR_sched_yield,
                              __NR_exit,
                              __NR_exit_group,
                              __NR_fcntl,
                              __NR_getcwd,
                              __NR_readlinkat,
                              __NR_memfd_create};

using Filter = std::vector<sock_filter>;

void add(Filter& filter, std::uint16_t code, std::uint32_t value, std::uint8_t then = 0,
         std::uint8_t other = 0) {
  filter.push_back({code, then, other, value});
}

void load(Filter& filter, std::size_t offset) {
  add(filter, BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
}

void allow(Filter& filter) { add(filter, BPF_RET | BPF_K, SECCOMP_RET_ALLOW); }

/// openat for reading only.
void add_open(Filter& filter) {
  constexpr std::uint32_t kWriting = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;
  constexpr std::size_t kFlags = offsetof(seccomp_data, args) + 2 * sizeof(std::uint64_t);  // the low half
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, __NR_openat, 0, 4);
  load(filter, kFlags);
  add(filter, BPF_JMP | BPF_JSET | BPF_K, kWriting, 1, 0);
  allow(filter);
  add(filter, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
}

Filter build_filter() {
  Filter filter;
  load(filter, offsetof(seccomp_data, arch));
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0);
  add(filter, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
  load(filter, offsetof(seccomp_data, nr));
  for (const auto number : kAllowed) {
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 1);
    allow(filter);
  }
  add_open(filter);
  add(filter, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
  return filter;
}

[[noreturn]] void refuse(const char* what) {
  throw engine::KernelError(fmt::format("this system cannot run a stranger's kernel without rights ({}: {})",
                                        what, std::generic_category().message(errno)));
}

}  // namespace

void give_up_rights() {
  if (::unshare(CLONE_NEWNET) != 0) static_cast<void>(::unshare(CLONE_NEWUSER | CLONE_NEWNET));
  if (::geteuid() == 0) {
    if (::setgroups(0, nullptr) != 0 || ::setresgid(kNobody, kNobody, kNobody) != 0 ||
        ::setresuid(kNobody, kNobody, kNobody) != 0)
      refuse("setresuid");
  }
  engine::drop_capabilities();
  Filter filter = build_filter();
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) refuse("seccomp");
}

}  // namespace rodeo::tools
