// Programs that attack: each is contained, gets the right verdict, and leaves
// the pool as it was. An attack that needs to succeed to matter ends normally
// when it does, so that "passed" would show it.

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/descriptor.h"
#include "tests/sandbox/support.h"
#include "tests/support/paths.h"

namespace fbt::sandbox {
namespace {

using Kinds = std::vector<VerdictKind>;
using enum VerdictKind;

struct Attack {
  std::string name;
  std::string source;
  Kinds verdicts;           // any of these is right
  Kinds landlock = {};      // in tier 2, where it differs
  std::string detail = {};  // a part of it
};

std::string system_call(long number, const std::string& arguments = "0, 0, 0, 0, 0, 0") {
  return fmt::format("import ctypes\nctypes.CDLL(None).syscall({}, {})\n", number, arguments);
}

// Source texts too long to be kept in the table.
std::string fifty_megabytes_of(const std::string& text) {
  std::string source;
  while (source.size() < (50 << 20)) source += text;
  return source;
}

const std::vector<Attack>& attacks() {
  static const std::vector<Attack> all = {
      // ---- exhausting the machine
      {"fork_bomb",
       "import os, time\nwhile True:\n  try: os.fork()\n  except OSError: time.sleep(0.01)\n",
       {kTimeout}},
      // The kernel counts a refused fork's memory against the program until it gets
      // round to freeing it, so that a quick machine reaches that limit as well.
      {"fork_bomb_without_pause",
       "import os\nwhile True:\n  try: os.fork()\n  except OSError: pass\n",
       {kTimeout, kMemory}},
      {"thread_bomb",
       "import threading, time\nwhile True:\n"
       "  try: threading.Thread(target=time.sleep, args=(100,)).start()\n"
       "  except RuntimeError: pass\n",
       {kTimeout, kMemory}},
      {"memory_bomb", "x = []\nwhile True: x.append(bytearray(1 << 24))\n", {kMemory}},
      {"memory_bomb_in_many_processes",
       "import os, time\n"
       "for _ in range(16):\n"
       "  if os.fork() == 0:\n"
       "    x = bytearray(b'x' * (200 << 20))\n"
       "    time.sleep(100)\n"
       "time.sleep(100)\n",
       {kTimeout, kMemory},
       {kFailed}},
      // Held by the kernel in socket buffers, while every process itself stays small.
      {"memory_bomb_in_the_kernel",
       "import os, socket, time\nkept = []\n"
       "for _ in range(5):\n"
       "  try: os.fork()\n"
       "  except OSError: pass\n"
       "try:\n"
       "  while True:\n"
       "    kept.append(socket.socketpair())\n"
       "    for end in kept[-1]:\n"
       "      end.setblocking(False)\n"
       "      try:\n"
       "        while True: end.send(b'x' * 65536)\n"
       "      except BlockingIOError: pass\n"
       "except OSError: time.sleep(100)\n",
       {kTimeout, kMemory}},
      {"ten_gigabytes_of_output",
       "import sys\nx = 'x' * (1 << 20)\nfor _ in range(10240): sys.stdout.write(x)\n",
       {kOutput}},
      {"one_huge_file",
       "f = open('/tmp/f', 'wb')\nwhile True: f.write(b'x' * (1 << 20))\n",
       {kFailed}},
      {"many_files",
       "import itertools\nfor i in itertools.count():\n"
       "  open(f'/tmp/{i}', 'wb').write(b'x' * (1 << 20))\n",
       {kFailed}},
      {"many_folders",
       "import itertools, os\nfor i in itertools.count(): os.mkdir(f'/tmp/{i}')\n",
       {kFailed}},
      {"a_hundred_thousand_open_files",
       "files = [open('/dev/null') for _ in range(100000)]\n",
       {kFailed},
       {},
       "Too many open files"},
      {"endless_loop_in_c", "import itertools\nmax(itertools.repeat(1))\n", {kTimeout}},
      {"catastrophic_pattern", "import re\nre.match('(a+)+$', 'a' * 64 + 'b')\n", {kTimeout}},
      {"deep_recursion", "def f(): f()\nf()\n", {kFailed}, {}, "RecursionError"},
      {"deeper_recursion",
       "import sys\nsys.setrecursionlimit(10 ** 9)\ndef f(): f()\nf()\n",
       {kMemory, kSignal, kTimeout, kFailed}},
      // glibc's parser of patterns recurses; Python callbacks have a limit of their own.
      {"c_stack_overflow",
       "import ctypes\n"
       "ctypes.CDLL(None).regcomp(ctypes.create_string_buffer(4096), b'(' * 10 ** 6, 1)\n",
       {kSignal},
       {},
       "signal 11"},

      // ---- outliving or resisting the supervisor
      {"daemon",
       "import os, time\nif os.fork() == 0:\n  os.setsid()\n  if os.fork() == 0: time.sleep(100)\n",
       {kPassed},
       {kFailed}},
      {"ignores_signals",
       "import signal\nfor s in (signal.SIGTERM, signal.SIGALRM, signal.SIGINT, signal.SIGXCPU):\n"
       "  signal.signal(s, signal.SIG_IGN)\nwhile True: pass\n",
       {kTimeout}},
      {"blocks_signals",
       "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\nwhile True: pass\n",
       {kTimeout}},
      {"unblocks_and_raises_signals",
       "import os, signal\nsignal.pthread_sigmask(signal.SIG_UNBLOCK, range(1, 65))\n"
       "for s in range(1, 65):\n"
       "  try: signal.signal(s, lambda *a: None)\n"
       "  except (OSError, ValueError): pass\n"
       "for s in (1, 2, 3, 10, 12, 13, 14, 15, 17, 24, 31, 64):\n"
       "  os.kill(os.getpid(), s)\n"
       "  try: os.kill(os.getppid(), s)\n"
       "  except OSError: pass\n"
       "os._exit(0)\n",
       {kFailed, kForbiddenSyscall, kSignal}},
      {"stops_itself", "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)\n", {kTimeout}},
      {"takes_over_sigsys",
       "import signal\nsignal.signal(signal.SIGSYS, signal.SIG_IGN)\n",
       {kFailed}},
      {"kills_everyone",
       "import os\nfor p in [-1, *range(1, 40000), 0]:\n"
       "  if p != os.getpid():\n"
       "    try: os.kill(p, 9)\n"
       "    except OSError: pass\n",
       {kSignal, kPassed}},
      {"kills_its_parent",
       "import os\ntry: os.kill(os.getppid(), 9)\nexcept OSError: pass\nos.killpg(1, 9)\n",
       {kFailed, kSignal}},
      {"reads_the_memory_of_others",
       system_call(SYS_process_vm_readv, "1, 0, 0, 0, 0, 0"),
       {kForbiddenSyscall},
       {},
       "process_vm_readv"},
      {"ptrace", system_call(SYS_ptrace, "16, 1, 0, 0"), {kForbiddenSyscall}, {}, "ptrace"},
      {"sets_limits_of_others",
       "import resource\nresource.prlimit(1, resource.RLIMIT_NOFILE, (0, 0))\n",
       {kFailed}},

      // ---- reaching out
      {"socket", "import socket\nsocket.socket()\n", {kForbiddenSyscall}, {}, "socket"},
      {"internet_socket_pair",
       "import socket\nsocket.socketpair(socket.AF_INET)\n",
       {kForbiddenSyscall, kFailed}},
      {"unix_socket",
       "import socket\nsocket.socket(socket.AF_UNIX)\n",
       {kForbiddenSyscall},
       {},
       "socket"},
      {"writes_outside",
       "import os\ndone = []\n"
       "for folder in ('/', '/usr', '/usr/lib', '/etc', '/root', '/home', '/dev', '/var/tmp', "
       "'/lib'):\n"
       "  try: open(os.path.join(folder, 'fbt'), 'w'); done.append(folder)\n"
       "  except OSError: pass\n"
       "assert done\n",
       {kFailed}},
      {"writes_to_the_standard_library",
       "import random\nopen(random.__file__, 'a').write('#')\n",
       {kFailed}},
      {"reads_accounts", "open('/etc/shadow').read()\n", {kFailed}},
      {"lists_home", "import os\nos.listdir('/root')\nos.listdir('/home')\n", {kFailed}},
      {"lists_processes",
       "import os\nassert any(name.isdigit() for name in os.listdir('/proc'))\n",
       {kFailed}},
      {"reads_its_own_memory_file", "open('/proc/self/mem', 'rb')\n", {kFailed}},
      {"links",
       "import os, sys\nos.symlink('/etc/passwd', '/tmp/a')\n"
       "try: os.link(sys.executable, '/tmp/b')\nexcept OSError: pass\n"
       "open('/tmp/a').read()\n",
       {kFailed}},
      {"changes_files_of_others",
       "import os, random\nos.chmod(random.__file__, 0o777)\n",
       {kFailed}},

      // ---- the kernel's back doors
      {"unshare", system_call(SYS_unshare, "0x10000000"), {kForbiddenSyscall}, {}, "unshare"},
      {"mount", system_call(SYS_mount), {kForbiddenSyscall}, {}, "mount"},
      {"umount", system_call(SYS_umount2), {kForbiddenSyscall}, {}, "umount2"},
      {"setns", system_call(SYS_setns), {kForbiddenSyscall}, {}, "setns"},
      {"pivot_root", system_call(SYS_pivot_root), {kForbiddenSyscall}, {}, "pivot_root"},
      {"chroot", "import os\nos.chroot('/tmp')\n", {kForbiddenSyscall}, {}, "chroot"},
      {"io_uring", system_call(SYS_io_uring_setup), {kForbiddenSyscall}, {}, "io_uring_setup"},
      {"keyctl", system_call(SYS_keyctl), {kForbiddenSyscall}, {}, "keyctl"},
      {"bpf", system_call(SYS_bpf), {kForbiddenSyscall}, {}, "bpf"},
      {"perf", system_call(SYS_perf_event_open), {kForbiddenSyscall}, {}, "perf_event_open"},
      {"userfaultfd", system_call(SYS_userfaultfd), {kForbiddenSyscall}, {}, "userfaultfd"},
      {"clone_into_new_namespaces",
       system_call(SYS_clone, "0x10000000 | 17, 0, 0, 0, 0"),
       {kForbiddenSyscall},
       {},
       "clone"},
      {"clone_a_child_of_the_server",
       system_call(SYS_clone, "0x8000 | 17, 0, 0, 0, 0"),
       {kForbiddenSyscall},
       {},
       "clone"},
      {"clone3", "import ctypes\nassert ctypes.CDLL(None).syscall(435, 0, 0) >= 0\n", {kFailed}},
      {"anonymous_file", "import os\nos.memfd_create('x')\n", {kFailed}},
      {"signals_through_a_descriptor",
       "import fcntl, os\nr, w = os.pipe()\nfcntl.fcntl(r, fcntl.F_SETOWN, 1)\n",
       {kFailed}},

      // ---- claiming success
      {"exit", "exit(0)\n", {kFailed}},
      {"system_exit", "raise SystemExit\n", {kFailed}},
      {"os_exit", "import os\nos._exit(0)\n", {kFailed}},
      {"exit_in_c", "import ctypes\nctypes.CDLL(None).exit(0)\n", {kFailed}},
      {"prints_success",
       "import os\nprint('passed')\n"
       "for fd in range(3, 64):\n"
       "  try: os.write(fd, b'passed')\n"
       "  except OSError: pass\n"
       "os._exit(0)\n",
       {kFailed}},
      {"closes_descriptors", "import os\nos.closerange(0, 1024)\nos._exit(0)\n", {kFailed}},
      {"exits_from_a_thread",
       "import os, threading, time\nthreading.Thread(target=os._exit, args=(0,)).start()\n"
       "time.sleep(100)\n",
       {kFailed}},
      {"exits_at_exit",
       "import atexit, os\natexit.register(os._exit, 0)\nraise ValueError\n",
       {kFailed},
       {},
       "ValueError"},
      {"ends_in_a_child", "import os\nif os.fork(): os._exit(0)\n", {kFailed}},
      {"child_ends_while_parent_fails", "import os\nif os.fork(): raise ValueError\n", {kFailed}},
      {"becomes_another_program",
       "import os, sys\nos.execv(sys.executable, [sys.executable, '-c', 'pass'])\n",
       {kFailed}},
      {"monkeypatches_builtins",
       "import builtins, os, sys\n"
       "sys.exit = os._exit = builtins.exit = builtins.compile = builtins.exec = lambda *a: None\n"
       "builtins.AssertionError = builtins.BaseException = Warning\n"
       "sys.excepthook = lambda *a: os._exit(0)\n"
       "assert False\n",
       {kFailed}},
      {"exits_while_flushing",
       "import os, sys\nclass Stream:\n  def flush(self): os._exit(0)\n"
       "sys.stdout.flush = sys.stderr.flush = Stream().flush\nassert False\n",
       {kFailed}},
      {"exits_while_worded",
       "import os\nclass E(Exception):\n  def __str__(self): os._exit(0)\nraise E\n",
       {kFailed}},
      {"calls_the_runner",
       "import gc, sys\nfound = []\nframe = sys._getframe()\n"
       "while frame:\n"
       "  found += [*frame.f_globals.values(), *frame.f_locals.values()]\n"
       "  frame = frame.f_back\n"
       "found += gc.get_objects() + [v for m in sys.modules.values() for v in vars(m).values()]\n"
       "runner = [f for f in found if getattr(f, '__name__', '') == 'serve']\n"
       "for serve in runner:\n"
       "  try: serve([], print)\n"
       "  except Exception: pass\n"
       "sys.exit(0)\n",
       {kFailed}},
      {"imports_the_runner", "import fbt_sandbox_runner\n", {kFailed}, {}, "ModuleNotFoundError"},
      {"replaces_the_standard_streams",
       "import os, sys\nos.close(0)\nos.close(1)\nos.close(2)\nsys.stdout = sys.stderr = None\n"
       "assert False\n",
       {kFailed},
       {},
       "AssertionError"},
      {"edits_modules",
       "import sys\nfor name in list(sys.modules):\n"
       "  if name not in ('sys', 'builtins'): del sys.modules[name]\n"
       "sys.modules['builtins'] = None\nassert False\n",
       {kFailed}},

      // ---- texts that are none
      {"nul_byte", std::string("x = 1\0", 6), {kSyntaxError}},
      {"broken_utf8", "x = '\xff\xfe'\n", {kSyntaxError}},
      {"broken_encoding_line", "# -*- coding: no-such -*-\nassert True\n", {kPassed}},
      {"nested_too_deep", std::string(100000, '('), {kSyntaxError, kMemory, kFailed, kSignal}},
  };
  return all;
}

class Hostile : public ::testing::TestWithParam<std::tuple<Tier, std::size_t>> {};

TEST_P(Hostile, IsContained) {
  const auto [tier, index] = GetParam();
  const Attack& attack = attacks()[index];
  Pool* pool = shared_pool(tier);
  if (pool == nullptr) GTEST_SKIP() << "this machine has no tier " << tier_name(tier);
  const std::set<pid_t> before = descendants();

  const Kinds& right =
      tier == Tier::kLandlock && !attack.landlock.empty() ? attack.landlock : attack.verdicts;
  const auto is_right = [&](VerdictKind kind) {
    return std::find(right.begin(), right.end(), kind) != right.end();
  };
  const Limits limits = is_right(kTimeout) ? short_limits() : test_options().limits;
  const Verdict verdict = pool->submit({attack.source, {}, limits}).get();
  EXPECT_TRUE(is_right(verdict.kind)) << verdict_kind_name(verdict.kind) << ": " << verdict.detail;
  EXPECT_TRUE(verdict.detail.find(attack.detail) != std::string::npos) << verdict.detail;
  EXPECT_LE(verdict.output.size(), kKeptOutputBytes);
  EXPECT_LT(verdict.wall_seconds, limits.wall_seconds + 10);

  // No process more or less: nothing was left, no worker had to be replaced.
  EXPECT_EQ(descendants(), before);
  // Both workers still work, and find their scratch folder empty.
  const char* check = tier == Tier::kNamespaces ? "import os\nassert not os.listdir('/tmp')\n" : "";
  std::future<Verdict> after[] = {pool->submit({check, {}, {}}), pool->submit({check, {}, {}})};
  for (auto& each : after) EXPECT_EQ(verdict_kind_name(each.get().kind), "passed");
}

std::string test_name(const ::testing::TestParamInfo<std::tuple<Tier, std::size_t>>& info) {
  const auto [tier, index] = info.param;
  return fmt::format("{}_{}", attacks()[index].name, tier_name(tier));
}

INSTANTIATE_TEST_SUITE_P(Programs, Hostile,
                         ::testing::Combine(::testing::Values(Tier::kNamespaces, Tier::kLandlock),
                                            ::testing::Range<std::size_t>(0, attacks().size())),
                         test_name);

class Host : public ::testing::TestWithParam<Tier> {};

INSTANTIATE_TEST_SUITE_P(Tiers, Host, ::testing::Values(Tier::kNamespaces, Tier::kLandlock),
                         [](const auto& info) { return std::string(tier_name(info.param)); });

TEST_P(Host, FiftyMegabytesOfSourceAreContained) {
  Pool* pool = shared_pool(GetParam());
  if (pool == nullptr) GTEST_SKIP() << "this machine has no such tier";
  const Verdict statements = pool->submit({fifty_megabytes_of("x = 1\n"), {}, {}}).get();
  EXPECT_TRUE(statements.kind == kMemory || statements.kind == kTimeout) << statements.detail;
  const Verdict comment = pool->submit({"#" + fifty_megabytes_of("x"), {}, {}}).get();
  EXPECT_TRUE(comment.passed()) << comment.detail;
  EXPECT_TRUE(pool->submit({"assert True", {}, {}}).get().passed());
}

TEST_P(Host, FilesCannotBeReadOrWritten) {
  Pool* pool = shared_pool(GetParam());
  if (pool == nullptr) GTEST_SKIP() << "this machine has no such tier";
  const testing::TemporaryFolder folder;
  const std::filesystem::path database = folder.path() / "results.sqlite";
  { std::ofstream(database) << "secret"; }
  std::filesystem::permissions(folder.path(), std::filesystem::perms::all);
  std::filesystem::permissions(database, std::filesystem::perms::all);
  for (const char* program :
       {"open({0!r}).read()", "open({0!r}, 'a').write('x')", "import os; os.remove({0!r})",
        "import os; os.rename({0!r}, '/tmp/x')", "import os; os.truncate({0!r}, 0)"}) {
    std::string source = program;
    source.replace(source.find("{0!r}"), 5, fmt::format("'{}'", database.string()));
    const Verdict verdict = pool->submit({source, {}, {}}).get();
    EXPECT_EQ(verdict_kind_name(verdict.kind), "failed") << source;
  }
  std::string content;
  std::ifstream(database) >> content;
  EXPECT_EQ(content, "secret");
}

// Aimed at the very processes, whose numbers no program could know in tier 1.
TEST_P(Host, ProcessesCannotBeReached) {
  Pool* pool = shared_pool(GetParam());
  if (pool == nullptr) GTEST_SKIP() << "this machine has no such tier";
  std::set<pid_t> targets = descendants();
  targets.insert(::getpid());
  std::string list;
  for (const pid_t process : targets) list += std::to_string(process) + ", ";
  const Verdict killed = pool->submit({fmt::format("import os\n"
                                                   "for process in [{}]:\n"
                                                   "  for signal in (9, 15, 0):\n"
                                                   "    try: os.kill(process, signal)\n"
                                                   "    except OSError: continue\n"
                                                   "    assert process == os.getpid()\n",
                                                   list),
                                       {},
                                       {}})
                             .get();
  EXPECT_TRUE(killed.passed()) << killed.detail;
  for (const pid_t process : targets) {
    const Verdict traced =
        pool->submit({system_call(SYS_ptrace, fmt::format("16, {}, 0, 0", process)), {}, {}}).get();
    EXPECT_EQ(verdict_kind_name(traced.kind), "forbidden_syscall") << traced.detail;
  }
  targets.erase(::getpid());
  EXPECT_EQ(descendants(), targets);
}

TEST_P(Host, PortsCannotBeReached) {
  Pool* pool = shared_pool(GetParam());
  if (pool == nullptr) GTEST_SKIP() << "this machine has no such tier";
  const Descriptor listener(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(::bind(listener.number(), reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(listener.number(), 1), 0);
  ::getsockname(listener.number(), reinterpret_cast<sockaddr*>(&address), &size);
  const Verdict verdict =
      pool->submit({fmt::format("import socket\nsocket.create_connection(('127.0.0.1', {}))\n",
                                ntohs(address.sin_port)),
                    {},
                    {}})
          .get();
  EXPECT_EQ(verdict_kind_name(verdict.kind), "forbidden_syscall") << verdict.detail;
  EXPECT_LT(::accept(listener.number(), nullptr, nullptr), 0);
}

}  // namespace
}  // namespace fbt::sandbox
