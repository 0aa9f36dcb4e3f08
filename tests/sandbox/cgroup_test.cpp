// Cgroups on hierarchies that the test machine need not have.

#include "sandbox/runner/cgroup.h"

#include <cerrno>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fbt::sandbox::runner {
namespace {

// "version own mount_point [controllers]" of each place.
std::vector<std::string> described(const std::vector<CgroupPlace>& places) {
  std::vector<std::string> all;
  for (const CgroupPlace& place : places) {
    all.push_back(std::to_string(place.version) + " " + place.own + " " + place.mount_point +
                  (place.memory ? " memory" : "") + (place.pids ? " pids" : ""));
  }
  return all;
}

constexpr const char* kUnified =
    "24 1 0:22 / /proc rw - proc proc rw\n"
    "35 24 0:30 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n";

constexpr const char* kHybrid =
    "33 25 0:29 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
    "34 25 0:30 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
    "35 25 0:31 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n"
    "36 25 0:32 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n";

TEST(CgroupPlaces, AreFoundInTheKernelsTables) {
  struct Case {
    const char* mountinfo;
    const char* cgroup;
    std::vector<std::string> places;
  };
  const Case cases[] = {
      // systemd's unified hierarchy
      {kUnified,
       "0::/user.slice/user-1000.slice/session-2.scope\n",
       {"2 /sys/fs/cgroup/user.slice/user-1000.slice/session-2.scope /sys/fs/cgroup"}},
      // a container with a cgroup namespace
      {kUnified, "0::/\n", {"2 /sys/fs/cgroup /sys/fs/cgroup"}},
      // both versions side by side
      {kHybrid,
       "8:pids:/\n4:memory:/jobs/7\n2:cpu,cpuacct:/\n0::/\n",
       {"1 /sys/fs/cgroup/pids /sys/fs/cgroup/pids pids",
        "1 /sys/fs/cgroup/memory/jobs/7 /sys/fs/cgroup/memory memory",
        "2 /sys/fs/cgroup/unified /sys/fs/cgroup/unified"}},
      // a container that is shown its own part of a version 1 hierarchy
      {"40 30 0:30 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n",
       "4:memory:/docker/abc\n",
       {"1 /sys/fs/cgroup/memory /sys/fs/cgroup/memory memory"}},
      // nothing mounted, nothing known, nonsense
      {"24 1 0:22 / /proc rw - proc proc rw\n", "0::/\n", {}},
      {kHybrid, "3:cpuset:/\n", {}},
      {"1 2 -\n - \n", "::\n4\n:\n4:memory", {}},
      {"", "", {}},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(described(cgroup_places(each.mountinfo, each.cgroup)), each.places) << each.cgroup;
  }
}

// A version 2 hierarchy as the kernel keeps it: controllers are handed down from
// folder to folder, and only by folders without processes (but for the root).
class UnifiedHierarchy : public CgroupFiles {
 public:
  struct Folder {
    bool writable = false;
    bool populated = false;
    std::set<std::string> handed_down = {};
    std::map<std::string, std::string> files = {};
  };

  explicit UnifiedHierarchy(std::map<std::string, Folder> folders) : folders_(std::move(folders)) {}

  bool make_folder(const std::string& path) override {
    const auto parent = folders_.find(path.substr(0, path.rfind('/')));
    if (parent == folders_.end()) return refuse(ENOENT);
    if (!parent->second.writable) return refuse(EACCES);
    if (folders_.contains(path)) return refuse(EEXIST);
    folders_[path].writable = true;
    return true;
  }

  bool remove_folder(const std::string& path) override {
    if (!folders_.contains(path)) return refuse(ENOENT);
    if (folders_[path].populated) return refuse(EBUSY);
    folders_.erase(path);
    return true;
  }

  bool write(const std::string& path, std::string_view content) override {
    const std::size_t slash = path.rfind('/');
    const std::string folder = path.substr(0, slash);
    const std::string file = path.substr(slash + 1);
    if (!folders_.contains(folder)) return refuse(ENOENT);
    if (!folders_[folder].writable) return refuse(EACCES);
    if (file == "cgroup.subtree_control") return hand_down(folder);
    if (file == "cgroup.procs") folders_[folder].populated = true;
    if (file != "cgroup.procs" && !controlled(folder, file.substr(0, file.find('.')))) {
      return refuse(ENOENT);
    }
    folders_[folder].files[file] = content;
    return true;
  }

  std::vector<std::string> entries(const std::string& folder) override {
    std::vector<std::string> names = {".", "..", "cgroup.procs"};
    for (const auto& [path, ignored] : folders_) {
      if (path.starts_with(folder + "/")) names.push_back(path.substr(folder.size() + 1));
    }
    return names;
  }

  std::map<std::string, Folder> folders_;

 private:
  static bool refuse(int reason) {
    errno = reason;
    return false;
  }
  bool is_root(const std::string& folder) const { return folder == "/cg"; }
  bool controlled(const std::string& folder, const std::string& controller) {
    return !is_root(folder) &&
           folders_[folder.substr(0, folder.rfind('/'))].handed_down.contains(controller);
  }
  bool hand_down(const std::string& folder) {
    if (folders_[folder].populated && !is_root(folder)) return refuse(EBUSY);
    if (!is_root(folder) && !controlled(folder, "memory")) return refuse(ENOENT);
    folders_[folder].handed_down = {"memory", "pids"};
    return true;
  }
};

std::string own_name() {
  return "/fbt-sandbox-" + std::to_string(::getpid());
}

std::vector<CgroupPlace> at(const std::string& own) {
  return {{2, false, false, "/cg", own}};
}

TEST(WorkerCgroups, StandBeneathTheRoot) {
  UnifiedHierarchy machine({{"/cg", {.writable = true, .populated = true}}});
  WorkerCgroups cgroups(machine);
  cgroups.create(at("/cg"), 1000, 7);
  EXPECT_TRUE(cgroups.has_memory());
  EXPECT_TRUE(cgroups.has_pids());
  EXPECT_EQ(cgroups.oom_file(), "/cg" + own_name() + "/memory.events");
  EXPECT_TRUE(cgroups.enter(99));
  const std::map<std::string, std::string> files = {
      {"cgroup.procs", "99"}, {"memory.max", "1000"}, {"memory.swap.max", "0"}, {"pids.max", "7"}};
  EXPECT_EQ(machine.folders_["/cg" + own_name()].files, files);
  machine.folders_["/cg" + own_name()].populated = false;
  cgroups.remove();
  EXPECT_EQ(machine.folders_.size(), 1U);
  EXPECT_FALSE(cgroups.has_memory());
}

TEST(WorkerCgroups, StandBesideACgroupThatHoldsProcesses) {
  UnifiedHierarchy machine({{"/cg", {.handed_down = {"memory", "pids"}}},
                            {"/cg/jobs", {.writable = true}},
                            {"/cg/jobs/7", {.writable = true, .populated = true}}});
  WorkerCgroups cgroups(machine);
  cgroups.create(at("/cg/jobs/7"), 1000, 7);
  EXPECT_TRUE(cgroups.has_memory());
  EXPECT_TRUE(machine.folders_.contains("/cg/jobs" + own_name()));
  EXPECT_FALSE(machine.folders_.contains("/cg/jobs/7" + own_name()));
}

// A machine without systemd: nobody has handed controllers down yet.
TEST(WorkerCgroups, HaveControllersHandedDownToThem) {
  UnifiedHierarchy machine({{"/cg", {.writable = true, .populated = true}},
                            {"/cg/jobs", {.writable = true}},
                            {"/cg/jobs/7", {.writable = true, .populated = true}}});
  WorkerCgroups cgroups(machine);
  cgroups.create(at("/cg/jobs/7"), 1000, 7);
  EXPECT_TRUE(cgroups.has_memory());
  EXPECT_TRUE(cgroups.has_pids());
  EXPECT_TRUE(machine.folders_.contains("/cg/jobs" + own_name()));
}

TEST(WorkerCgroups, AreNotThereWhereTheKernelRefuses) {
  UnifiedHierarchy read_only({{"/cg", {.populated = true}}, {"/cg/jobs", {.populated = true}}});
  WorkerCgroups cgroups(read_only);
  cgroups.create(at("/cg/jobs"), 1000, 7);
  EXPECT_FALSE(cgroups.has_memory());
  EXPECT_FALSE(cgroups.has_pids());
  EXPECT_TRUE(cgroups.enter(99));
  EXPECT_EQ(read_only.folders_.size(), 2U);

  // Writable, but without controllers: no folder is left to no purpose.
  UnifiedHierarchy bare({{"/cg", {}}, {"/cg/jobs", {.writable = true}}});
  WorkerCgroups none(bare);
  none.create(at("/cg/jobs"), 1000, 7);
  EXPECT_FALSE(none.has_memory());
  EXPECT_EQ(bare.folders_.size(), 2U);
}

TEST(WorkerCgroups, RemoveThoseOfDeadOwners) {
  const pid_t dead = ::fork();
  if (dead == 0) ::_exit(0);
  ::waitpid(dead, nullptr, 0);
  const std::string of_dead = "/cg/fbt-sandbox-" + std::to_string(dead);
  const std::string of_living = "/cg/fbt-sandbox-" + std::to_string(::getppid());
  UnifiedHierarchy machine({{"/cg", {.writable = true, .populated = true}},
                            {of_dead, {.writable = true}},
                            {of_living, {.writable = true}},
                            {"/cg" + own_name(), {.writable = true}},
                            {"/cg/fbt-sandbox-", {.writable = true}},
                            {"/cg/other", {.writable = true}}});
  WorkerCgroups cgroups(machine);
  cgroups.create(at("/cg"), 1000, 7);
  EXPECT_TRUE(cgroups.has_memory());
  EXPECT_FALSE(machine.folders_.contains(of_dead));
  EXPECT_TRUE(machine.folders_.contains(of_living));
  EXPECT_TRUE(machine.folders_.contains("/cg/other"));

  // One that is still in use stays, whoever made it.
  UnifiedHierarchy busy({{"/cg", {.writable = true}}, {of_dead, {.populated = true}}});
  WorkerCgroups beside(busy);
  beside.create(at("/cg"), 1000, 7);
  EXPECT_TRUE(busy.folders_.contains(of_dead));
}

}  // namespace
}  // namespace fbt::sandbox::runner
