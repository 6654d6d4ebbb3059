// SPDX-License-Identifier: MIT
// The doctor is fed copies of /proc and /sys written here: first a machine without fault, then one thing
// changed.
#include "engine/doctor/doctor.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace rodeo::engine {
namespace {

namespace fs = std::filesystem;

const std::string kCpu = "sys/devices/system/cpu/";

class Doctor : public testing::Test {
 protected:
  Doctor() {
    std::string name = testing::TempDir() + "rodeo_doctor_XXXXXX";
    machine_.root = ::mkdtemp(name.data());
    put("proc/sys/kernel/osrelease", "6.1.0-rt\n");
    put("proc/sys/kernel/version", "#1 SMP PREEMPT_RT Debian\n");
    put("sys/kernel/realtime", "1\n");
    put("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
    put("proc/sys/kernel/sched_rt_runtime_us", "950000\n");
    put("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
    put(kCpu + "online", "0-3\n");
    put(kCpu + "isolated", "2-3\n");
    for (const char* core : {"0", "1", "2", "3"}) put_governor(core, "performance");
    put_limits("95", "unlimited");
    put_capabilities("0000000000000000");
  }
  ~Doctor() override { fs::remove_all(machine_.root); }

  void put(const std::string& file, const std::string& text) {
    fs::create_directories((machine_.root / file).parent_path());
    std::ofstream(machine_.root / file) << text;
  }
  void put_governor(const std::string& core, const std::string& governor) {
    put(kCpu + "cpu" + core + "/cpufreq/scaling_governor", governor + "\n");
  }
  void put_limits(const std::string& priority, const std::string& locked) {
    put("proc/self/limits",
        "Limit                     Soft Limit           Hard Limit           Units     \n"
        "Max locked memory         " +
            locked +
            "              unlimited              bytes     \n"
            "Max realtime priority     " +
            priority + "                    0                    \n");
  }
  void put_capabilities(const std::string& mask) {
    put("proc/self/status", "Name:\trodeo\nCapPrm:\tffffffff\nCapEff:\t" + mask + "\nCapBnd:\tffffffff\n");
  }
  void drop(const std::string& file) { fs::remove_all(machine_.root / file); }

  Finding find(const std::string& check) const {
    const auto findings = build_findings(machine_);
    const auto it =
        std::find_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.check == check; });
    return it == findings.end() ? Finding{"no such check: " + check, Verdict::fail, "", ""} : *it;
  }

  /// The check has this verdict, its text holds `found`, and it says what to change unless it is ok.
  void expect(const std::string& check, Verdict verdict, const std::string& found) const {
    const Finding finding = find(check);
    EXPECT_EQ(finding.check, check);
    EXPECT_STREQ(verdict_name(finding.verdict), verdict_name(verdict));
    EXPECT_NE(finding.found.find(found), std::string::npos) << finding.found;
    EXPECT_EQ(finding.change.empty(), verdict == Verdict::ok) << finding.change;
  }

  Machine machine_;
};

TEST_F(Doctor, FindsNothingWrongWithAGoodMachine) {
  const auto findings = build_findings(machine_);
  EXPECT_EQ(findings.size(), 10U);
  for (const Finding& finding : findings) {
    EXPECT_EQ(finding.verdict, Verdict::ok) << finding.check << ": " << finding.found;
    EXPECT_EQ(finding.change, "");
  }
  EXPECT_TRUE(is_fit(findings));
}

TEST_F(Doctor, KnowsARealTimeKernelByEitherSign) {
  drop("sys/kernel/realtime");
  expect("kernel", Verdict::ok, "6.1.0-rt, PREEMPT_RT");
  put("proc/sys/kernel/version", "#1 SMP PREEMPT_DYNAMIC Debian\n");
  expect("kernel", Verdict::warn, "6.1.0-rt, not PREEMPT_RT");
  put("sys/kernel/realtime", "1\n");
  expect("kernel", Verdict::ok, "PREEMPT_RT");
  put("sys/kernel/realtime", "0\n");
  expect("kernel", Verdict::warn, "not PREEMPT_RT");
}

TEST_F(Doctor, JudgesTheClockSource) {
  const std::string file = "sys/devices/system/clocksource/clocksource0/current_clocksource";
  put(file, "kvm-clock\n");
  expect("clock source", Verdict::warn, "virtual machine");
  put(file, "hpet\n");
  expect("clock source", Verdict::warn, "slow to read");
  put(file, "jiffies\n");
  expect("clock source", Verdict::fail, "jiffies");
}

TEST_F(Doctor, FailsATimerAsCoarseAsATick) {
  machine_.timer_resolution_ns = 4'000'000;
  expect("timer resolution", Verdict::fail, "4000000 ns");
}

TEST_F(Doctor, WantsPriorityByLimitOrByCapability) {
  put_limits("10", "unlimited");
  expect("real-time priority", Verdict::warn, "only up to 10");
  put_limits("0", "unlimited");
  expect("real-time priority", Verdict::fail, "not allowed");
  EXPECT_FALSE(is_fit(build_findings(machine_)));
  put_capabilities("0000000000800000");  // bit 23
  expect("real-time priority", Verdict::ok, "CAP_SYS_NICE");
}

TEST_F(Doctor, WantsLockedMemoryByLimitOrByCapability) {
  put_limits("95", "8388608");
  expect("locked memory", Verdict::fail, "up to 8192 KiB");
  put_limits("95", "1073741824");
  expect("locked memory", Verdict::ok, "up to 1048576 KiB");
  put_limits("95", "0");
  put_capabilities("0000000000004000");  // bit 14
  expect("locked memory", Verdict::warn, "CAP_IPC_LOCK, without the machine's own: up to 0 KiB");
  put_capabilities("0000000001000000");  // bit 24: raises the limit
  expect("locked memory", Verdict::ok, "CAP_SYS_RESOURCE");
}

TEST_F(Doctor, TakesOneCapabilityForNoOther) {
  put_limits("0", "0");
  put_capabilities("0000000000800000");
  expect("locked memory", Verdict::fail, "up to 0 KiB");
  put_capabilities("0000000000004000");
  expect("real-time priority", Verdict::fail, "not allowed");
}

TEST_F(Doctor, JudgesThrottling) {
  const std::string file = "proc/sys/kernel/sched_rt_runtime_us";
  put(file, "-1\n");
  expect("real-time throttling", Verdict::ok, "off");
  put(file, "500000\n");
  expect("real-time throttling", Verdict::warn, "500000 us");
  put(file, "0\n");
  expect("real-time throttling", Verdict::fail, "0 us");
}

TEST_F(Doctor, WarnsOfOneSlowCoreAmongFastOnes) {
  put_governor("2", "powersave");
  expect("governor", Verdict::warn, "powersave");
  for (const char* core : {"0", "1", "2", "3"}) drop(kCpu + "cpu" + core);
  expect("governor", Verdict::ok, "none");
}

TEST_F(Doctor, CountsCoresAndIsolatedCores) {
  put(kCpu + "online", "0-1,4,6-7\n");
  expect("cores", Verdict::ok, "5 online");
  put(kCpu + "isolated", "\n");
  expect("isolated cores", Verdict::warn, "none");
  EXPECT_NE(find("isolated cores").change.find("isolcpus=7"), std::string::npos);
  put(kCpu + "online", "0\n");
  expect("cores", Verdict::warn, "1 online");
}

TEST_F(Doctor, WarnsOfHugepagesForAll) {
  put("sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never\n");
  expect("transparent hugepages", Verdict::warn, "always");
  drop("sys/kernel/mm/transparent_hugepage");
  expect("transparent hugepages", Verdict::ok, "none");
}

TEST_F(Doctor, WarnsAndNamesTheFileWhenItCannotKnow) {
  drop("proc");
  drop("sys");
  for (const Finding& finding : build_findings(machine_))
    EXPECT_NE(finding.verdict, Verdict::fail) << finding.check;
  expect("kernel", Verdict::warn, "not known: /proc/sys/kernel/version");
  expect("clock source", Verdict::warn, "not known: /sys/devices/system/clocksource");
  expect("real-time priority", Verdict::warn, "not known: /proc/self/limits");
  expect("locked memory", Verdict::warn, "not known: /proc/self/limits");
  expect("real-time throttling", Verdict::warn, "not known: /proc/sys/kernel/sched_rt_runtime_us");
  expect("cores", Verdict::warn, "not known");
  expect("isolated cores", Verdict::warn, "not known");
}

TEST_F(Doctor, SurvivesStrangeText) {
  put("proc/sys/kernel/sched_rt_runtime_us", "many\n");
  expect("real-time throttling", Verdict::warn, "not known");
  put(kCpu + "online", "0-x\n");
  expect("cores", Verdict::warn, "not known");
  put("sys/kernel/mm/transparent_hugepage/enabled", "perhaps\n");
  expect("transparent hugepages", Verdict::warn, "not known");
  put("proc/self/limits", "Max realtime priority");
  put("proc/self/status", "CapEff:");
  expect("real-time priority", Verdict::warn, "not known");
}

TEST(DoctorHere, HasAFindingForEveryCheckOnThisMachine) {
  const Machine machine = build_this_machine();
  EXPECT_GT(machine.timer_resolution_ns, 0);
  EXPECT_EQ(build_findings(machine).size(), 10U);
}

}  // namespace
}  // namespace rodeo::engine
