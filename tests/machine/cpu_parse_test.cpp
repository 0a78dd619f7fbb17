#include "harness/machine/cpu.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "harness/machine/describe_machine.hpp"
#include "harness/os/files.hpp"
#include "harness/os/limits.hpp"

namespace gridmark::harness {
namespace {

// Two sockets of one core with two threads each would be 4 processors; here the second socket has one thread.
constexpr const char* cpuinfo =
    "processor\t: 0\nmodel name\t: Some CPU @ 2.0GHz\nphysical id\t: 0\ncore id\t\t: 0\n"
    "flags\t\t: fpu sse2 avx fma avx2 avx512f avx512dq\n\n"
    "processor\t: 1\nmodel name\t: Some CPU @ 2.0GHz\nphysical id\t: 0\ncore id\t\t: 0\nflags\t\t: fpu "
    "sse2\n\n"
    "processor\t: 2\nmodel name\t: Some CPU @ 2.0GHz\nphysical id\t: 1\ncore id\t\t: 0\nflags\t\t: fpu "
    "sse2\n";

TEST(CpuInfo, ReadsModelIsaAndCores) {
    const CpuInfo info = parse_cpuinfo(cpuinfo);
    EXPECT_EQ(*info.model.value, "Some CPU @ 2.0GHz");
    EXPECT_EQ(*info.isa.value, (std::vector<std::string>{"sse2", "avx", "avx2", "fma", "avx512f"}));
    EXPECT_EQ(*info.physical_cores.value, 2);
    EXPECT_EQ(*info.logical_cores.value, 3);
}

TEST(CpuInfo, KnowsAVirtualMachine) {
    EXPECT_FALSE(parse_cpuinfo(cpuinfo).is_virtual_machine);
    EXPECT_FALSE(parse_cpuinfo("flags : fpu no_hypervisor\n").is_virtual_machine);
    EXPECT_TRUE(parse_cpuinfo("flags : fpu hypervisor sse2\n").is_virtual_machine);
}

constexpr const char* grace =
    "processor\t: 0\nBogoMIPS\t: 2000.00\nFeatures\t: fp asimd evtstrm aes sve sve2\nCPU implementer\t: "
    "0x41\n"
    "CPU architecture: 8\nCPU variant\t: 0x0\nCPU part\t: 0xd4f\nCPU revision\t: 0\n\nprocessor\t: 1\n";

TEST(CpuInfo, ReadsAnArmProcessorsNumbers) {
    const CpuInfo info = parse_cpuinfo(grace);
    EXPECT_EQ(*info.model.value, "Neoverse V2");
    EXPECT_EQ(*info.isa.value, (std::vector<std::string>{"asimd", "sve"}));
    EXPECT_EQ(*info.logical_cores.value, 2);
    EXPECT_FALSE(info.physical_cores) << "the file does not tell";
    EXPECT_EQ(*parse_cpuinfo("CPU implementer : 0x61\nCPU part : 0x022\n").model.value,
              "implementer 0x61, part 0x022");
}

TEST(CpuInfo, KnowsAnEmulatedProcessor) {
    EXPECT_FALSE(is_emulated(parse_cpuinfo(grace), "aarch64"));
    EXPECT_TRUE(is_emulated(parse_cpuinfo(grace), "x86-64"));
    const CpuInfo x86 = parse_cpuinfo("vendor_id : AuthenticAMD\nmodel name : Some CPU\n");
    EXPECT_FALSE(is_emulated(x86, "x86-64"));
    EXPECT_TRUE(is_emulated(x86, "aarch64")) << "qemu-user shows the host's file";
    for (const char* implementer : {"0x0", "0x00"})
        EXPECT_TRUE(is_emulated(parse_cpuinfo(std::string("CPU implementer : ") + implementer), "aarch64"))
            << "qemu's own processor";
    EXPECT_FALSE(is_emulated(parse_cpuinfo(""), "aarch64")) << "where nothing is known nothing is said";
}

TEST(CpuInfo, SaysWhatIsMissing) {
    // As in containers that hide the file.
    for (const char* text : {"processor\t: 0\nBogoMIPS\t: 50.00\n", "", "\n:\n"}) {
        const CpuInfo info = parse_cpuinfo(text);
        EXPECT_FALSE(info.model);
        EXPECT_FALSE(info.isa.reason.empty());
        EXPECT_FALSE(info.physical_cores.reason.empty());
    }
    EXPECT_EQ(*parse_cpuinfo("processor\t: 0\n").logical_cores.value, 1);
}

TEST(Caches, CountsSharedOnesOnce) {
    const std::vector<CacheText> caches{{"1\n", "Data\n", "48K\n", "0\n"}, {"1", "Instruction", "64K", "0"},
                                        {"2", "Unified", "1024K", "0"},    {"3", "Unified", "32768K", "0-1"},
                                        {"3", "Unified", "32768K", "0-1"}, {"3", "Unified", "32768K", "2-3"}};
    const CacheSizes sizes = parse_caches(caches);
    EXPECT_EQ(sizes.l1d, 48 * 1024);
    EXPECT_EQ(sizes.l2, 1024 * 1024);
    EXPECT_EQ(sizes.l3, 32 * 1024 * 1024);
    EXPECT_EQ(sizes.l3_total, 64 * 1024 * 1024);
}

TEST(Caches, LeavesOutWhatIsNotThere) {
    const CacheSizes sizes = parse_caches({{"1", "Data", "no size", "0"}});
    EXPECT_FALSE(sizes.l1d);
    EXPECT_FALSE(sizes.l3_total);
}

TEST(ByteSize, KnowsItsUnits) {
    EXPECT_EQ(parse_byte_size("512"), 512);
    EXPECT_EQ(parse_byte_size("48K"), 49152);
    EXPECT_EQ(parse_byte_size("32M"), 32 << 20);
    EXPECT_EQ(parse_byte_size("2G"), std::int64_t{2} << 30);
    for (const char* text : {"", "K", "-1K", "12Q", "1.5M", "max"})
        EXPECT_FALSE(parse_byte_size(text)) << text;
}

TEST(CpuList, ReadsAndWrites) {
    EXPECT_EQ(parse_cpu_list("0-2,5\n"), (std::vector<int>{0, 1, 2, 5}));
    EXPECT_EQ(parse_cpu_list(""), std::vector<int>{});
    EXPECT_EQ(parse_cpu_list("65535"), std::vector<int>{65535});
    for (const char* text : {"a", "3-1", "1-", "-1", "0-99999999", "65536"})
        EXPECT_FALSE(parse_cpu_list(text)) << text;
    EXPECT_EQ(format_cpu_list({0, 1, 2, 5, 7, 8}), "0-2,5,7-8");
    EXPECT_EQ(format_cpu_list({}), "");
}

TEST(MemInfo, ReadsKibibytes) {
    constexpr const char* text = "MemTotal:       24684092 kB\nMemAvailable:   100 kB\nHugePages_Total:  0\n";
    EXPECT_EQ(*parse_meminfo(text, "MemAvailable").value, 102400);
    EXPECT_FALSE(parse_meminfo(text, "HugePages_Total"));
    EXPECT_FALSE(parse_meminfo("", "MemTotal").reason.empty());
}

TEST(OsRelease, ReadsTheName) {
    EXPECT_EQ(*parse_os_release("ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 12\"\n").value,
              "Debian GNU/Linux 12");
    EXPECT_EQ(*parse_os_release("PRETTY_NAME=Plain").value, "Plain");
    EXPECT_EQ(*parse_os_release("PRETTY_NAME=of 12\"\n").value, "of 12\"") << "half a pair of quotes is none";
    EXPECT_FALSE(parse_os_release("ID=x\n"));
}

TEST(Cpu, DescribesThisMachine) {
    nlohmann::json reasons = nlohmann::json::object();
    const auto cpu = describe_cpu(3, reasons);
    EXPECT_EQ(cpu.at("threads"), 3);
    for (const char* key :
         {"model", "isa", "physical_cores", "logical_cores", "affinity", "memory_bytes", "governor"}) {
        EXPECT_EQ(cpu.at(key).is_null(), reasons.contains(std::string("cpu.") + key)) << key;
    }
    EXPECT_EQ(cpu.at("architecture"), program_architecture());
    const auto meminfo = read_text_file("/proc/meminfo", "memory sizes");
    if (meminfo) {
        EXPECT_EQ(cpu.at("memory_bytes").get<std::int64_t>(),
                  parse_meminfo(*meminfo.value, "MemTotal").value);
    }
    const auto l1d = read_caches().l1d;
    EXPECT_EQ(l1d.has_value(), !cpu.at("caches").at("l1d").is_null());
    if (std::filesystem::exists("/sys/devices/system/cpu/cpu0/cache/index0/size")) {
        EXPECT_GT(l1d.value_or(0), 1024);
    }
    const auto cpus = read_affinity().value.value_or(std::vector<int>{});
    EXPECT_TRUE(std::ranges::is_sorted(cpus));
    EXPECT_EQ(parse_cpu_list(cpu.at("affinity").get<std::string>()), cpus);
    EXPECT_GT(read_affinity().value.value_or(std::vector<int>{}).size(), 0U);
}

// --- stolen time

TEST(Stolen, IsAShareOfTheTimeInWhichThereWasSomethingToDo) {
    const auto before = parse_cpu_time("cpu  100 10 20 5000 300 1 2 40 7 8\ncpu0 1 1 1 1 1 1 1 1\n");
    const auto after = parse_cpu_time("cpu  160 10 30 9000 900 1 2 70 7 8\n");
    ASSERT_TRUE(before && after);
    EXPECT_EQ(before.value->wanted, 100 + 10 + 20 + 1 + 2 + 40);
    EXPECT_EQ(before.value->stolen, 40);
    EXPECT_DOUBLE_EQ(stolen_share(before, after).value.value_or(-1), 30.0 / (60 + 10 + 30));
    const auto fallen = parse_cpu_time("cpu  200 10 30 9000 900 1 2 69 7 8\n");
    EXPECT_EQ(stolen_share(after, fallen).value, 0);
}

TEST(Stolen, SaysWhyItIsNotKnown) {
    const auto known_time = parse_cpu_time("cpu  1 1 1 1 1 1 1 1");
    for (const char* text : {"", "cpu 1 2 3 4 5 6 7", "cpu0 1 1 1 1 1 1 1 1", "cpu a b c d e f g h"}) {
        const auto time = parse_cpu_time(text);
        EXPECT_FALSE(time) << text;
        EXPECT_EQ(stolen_share(known_time, time).reason, "the system does not show what its host takes");
        EXPECT_EQ(stolen_share(time, known_time).reason, time.reason);
    }
    EXPECT_FALSE(stolen_share(known_time, known_time)) << "no time has passed";
}

TEST(Stolen, IsReadHere) {
    const auto time = read_cpu_time();
    ASSERT_TRUE(time) << time.reason;
    EXPECT_GT(time.value->wanted, 0);
}

}  // namespace
}  // namespace gridmark::harness
