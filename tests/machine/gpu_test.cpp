#include "harness/machine/describe_machine.hpp"

#include <gtest/gtest.h>

#include "harness/gpu/kernel_clock.hpp"
#include "harness/gpu/step_clock.hpp"
#include "kernels/ceilings/gpu.hpp"
#include "kernels/launch/make_device.hpp"
#include "kernels/launch/streams.hpp"

namespace gridmark::harness {
namespace {

GpuProperties some_gpu() {
    GpuProperties gpu;
    gpu.name = "Some GPU";
    gpu.uuid = "GPU-00";
    gpu.pci_bus_id = "0000:3b:00.0";
    gpu.compute_capability = "9.0";
    gpu.multiprocessors = 132;
    return gpu;
}

TEST(Gpu, IsNullWithAReasonWhereThereIsNone) {
    nlohmann::json reasons = nlohmann::json::object();
    EXPECT_TRUE(describe_gpu(unknown<GpuProperties>("no GPU is visible"), {}, reasons).is_null());
    EXPECT_EQ(reasons, nlohmann::json({{"gpu", "no GPU is visible"}}));
}

TEST(Gpu, KeepsWhatNvmlRefusesAsReasons) {
    NvmlState state = read_nvml("no such address");  // all unknown, with or without a driver
    state.power_cap_watts = known(700.0);
    state.sm_mhz = known(1980U);
    nlohmann::json reasons = nlohmann::json::object();
    const auto gpu = describe_gpu(known(some_gpu()), state, reasons);
    EXPECT_EQ(gpu.at("multiprocessors"), 132);
    EXPECT_EQ(gpu.at("power_cap_watts"), 700);
    EXPECT_EQ(gpu.at("clocks").at("sm_mhz"), 1980);
    EXPECT_TRUE(gpu.at("clocks").at("memory_mhz").is_null());
    EXPECT_TRUE(gpu.at("pci").at("link_width").is_null());
    for (const char* path :
         {"gpu.clocks.memory_mhz", "gpu.pci.link_width", "gpu.mig_mode", "gpu.persistence_mode"}) {
        ASSERT_TRUE(reasons.contains(path)) << path;
        EXPECT_FALSE(reasons.at(path).get<std::string>().empty()) << path;
    }
    EXPECT_EQ(gpu.dump().find("3b:00"), std::string::npos) << "the PCI address is nobody's business";
}

TEST(Gpu, NamesItsLink) {
    nlohmann::json reasons = nlohmann::json::object();
    NvmlState state = read_nvml("no such address");
    GpuProperties properties = some_gpu();
    EXPECT_TRUE(describe_gpu(known(properties), state, reasons)["link"]["name"].is_null());
    EXPECT_TRUE(reasons.contains("gpu.link.name"));
    state.pci_max_generation = known(5U);
    state.pci_max_width = known(16U);
    EXPECT_EQ(describe_gpu(known(properties), state, reasons)["link"],
              nlohmann::json({{"name", "PCIe 5 x16"}, {"coherent", false}}));
    state.c2c = known(false);
    EXPECT_EQ(describe_gpu(known(properties), state, reasons)["link"]["name"], "PCIe 5 x16");
    state.c2c = known(true);
    properties.coherent = true;
    EXPECT_EQ(describe_gpu(known(properties), state, reasons)["link"],
              nlohmann::json({{"name", "NVLink-C2C"}, {"coherent", true}}));
}

TEST(Gpu, NamesClockLimits) {
    EXPECT_TRUE(name_clock_limits(0).empty());
    EXPECT_EQ(name_clock_limits(0x4 | 0x20),
              (std::vector<std::string>{"power cap", "software thermal slowdown"}));
}

TEST(Gpu, FormatsUuidsAndVersions) {
    const unsigned char bytes[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255};
    EXPECT_EQ(format_gpu_uuid(bytes), "GPU-00010203-0405-0607-0809-0a0b0c0d0eff");
    EXPECT_EQ(format_cuda_version(13000), "13.0");
    EXPECT_EQ(format_cuda_version(12090), "12.9");
    EXPECT_EQ(cores_per_multiprocessor("9.0").value, 128);
    EXPECT_EQ(cores_per_multiprocessor("8.0").value, 64);
    EXPECT_NE(cores_per_multiprocessor("99.0").reason.find("99.0"), std::string::npos);
}

TEST(Gpu, TheHostExecutorYieldsNoTiming) {
    const auto host = launch::host_device();
    EXPECT_THROW(seconds_between_events(host->stream(), [] {}), launch::Unavailable);
    EXPECT_THROW(GraphReplay(host->stream(), [] {}), launch::Unavailable);
    EXPECT_THROW(L2Flush{*host}, launch::Unavailable);
}

TEST(Machine, EveryNullHasItsReason) {
    const auto machine = describe_machine({.threads = 2, .gpu_ordinal = 0});
    for (const char* part : {"cpu", "topology", "software", "build"}) {
        for (const auto& [key, value] : machine.at(part).items()) {
            const auto path = std::string(part) + "." + key;
            EXPECT_EQ(value.is_null(), machine.at("reasons").contains(path)) << path;
        }
    }
    EXPECT_EQ(machine.at("gpu").is_null(), machine.at("reasons").contains("gpu"));
}

// --- the kernel clock

TEST(KernelClock, SaysWhyItIsNotAvailable) {
    auto& clock = KernelClock::instance();
    EXPECT_EQ(clock.available(), clock.reason().empty());
    if (clock.available()) GTEST_SKIP() << "the kernel clock works here";
    bool ran = false;
    EXPECT_THROW((void)clock.record([&] { ran = true; }), launch::Unavailable);
    EXPECT_THROW((void)clock.record_activities([&] { ran = true; }), launch::Unavailable);
    EXPECT_FALSE(ran);
}

TEST(KernelClock, VersionOrReason) {
    const auto version = read_cupti_version();
    EXPECT_EQ(version.value.has_value(), version.reason.empty());
}

TEST(KernelClock, RecordsEveryLaunchInOrder) {
    auto& clock = KernelClock::instance();
    if (!clock.available()) GTEST_SKIP() << clock.reason();
    const auto gpu = launch::gpu_device();
    std::vector<KernelRecord> records;
    constexpr int launches = 100;
    try {
        records = clock.record([&] {
            for (int i = 0; i < launches; ++i)
                ceilings::launch_nothing(gpu->stream());
        });
    } catch (const launch::Unavailable& refusal) {
        GTEST_SKIP() << refusal.what();
    }
    ASSERT_EQ(records.size(), static_cast<std::size_t>(launches));
    for (std::size_t i = 0; i < records.size(); ++i) {
        EXPECT_NE(records[i].name.find("nothing_kernel"), std::string::npos);
        EXPECT_GE(records[i].duration_ns(), 0);
        EXPECT_EQ(records[i].block, (std::array<int, 3>{32, 1, 1}));
        if (i > 0) {
            EXPECT_LE(records[i - 1].start_ns, records[i].start_ns);
        }
    }
    ceilings::launch_nothing(gpu->stream());  // outside of a recording: in none
    EXPECT_TRUE(clock.record([] {}).empty());
}

// Of what goes on in two streams: copies between host and GPU with their bytes, and kernels. A copy within
// the GPU and a setting of its memory are neither.
TEST(KernelClock, RecordsCopiesBesideKernels) {
    auto& clock = KernelClock::instance();
    if (!clock.available()) GTEST_SKIP() << clock.reason();
    const auto gpu = launch::gpu_device();
    const launch::OwnedStream queue(*gpu);
    constexpr std::size_t bytes = 1 << 20;
    launch::Pinned<unsigned char> host(*gpu, bytes);
    launch::Buffer<unsigned char> there(*gpu, bytes), other(*gpu, bytes);
    const auto body = [&] {
        gpu->put_upload(gpu->stream(), there.data(), host.span().data(), bytes);
        ceilings::launch_nothing(gpu->stream());
        gpu->copy(other.data(), there.data(), bytes);
        gpu->fill_bytes(other.data(), 0, bytes);
        gpu->synchronize();
        gpu->put_download(queue.stream(), host.span().data(), there.data(), bytes / 2);
    };
    Activities all;
    try {
        all = clock.record_activities(body);
    } catch (const launch::Unavailable& refusal) {
        GTEST_SKIP() << refusal.what();
    }
    ASSERT_EQ(all.kernels.size(), 1U);
    ASSERT_EQ(all.copies.size(), 2U);
    const CopyRecord &up = all.copies[0], &down = all.copies[1];
    EXPECT_EQ(up.way, CopyRecord::Way::up);
    EXPECT_EQ(up.bytes, static_cast<std::int64_t>(bytes));
    EXPECT_EQ(down.way, CopyRecord::Way::down);
    EXPECT_EQ(down.bytes, static_cast<std::int64_t>(bytes / 2));
    EXPECT_LT(up.start_ns, up.end_ns);
    EXPECT_LE(up.end_ns, all.kernels[0].start_ns) << "one clock for both, and one stream";
    EXPECT_LE(all.kernels[0].end_ns, down.start_ns);
    EXPECT_EQ(up.stream, all.kernels[0].stream);
    EXPECT_NE(down.stream, up.stream);
    EXPECT_EQ(clock.record(body).size(), 1U) << "kernels alone";
    EXPECT_TRUE(clock.record_activities([] {}).copies.empty());
}

}  // namespace
}  // namespace gridmark::harness
