// Launches each GPU variant once for a profiler that counts; hidden: for `make demands`.
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/cli/commands.hpp"
#include "harness/gpu/properties.hpp"
#include "harness/machine/describe_machine.hpp"
#include "harness/os/streams.hpp"
#include "harness/run/job.hpp"
#include "harness/run/registry.hpp"
#include "kernels/launch/gpu_count.hpp"

namespace gridmark::harness {
namespace {

/// What a point declares of an iteration's kernels for the GPU that runs them.
nlohmann::json declared(const Point& point, const launch::Chip& chip) {
    nlohmann::json kernels = nlohmann::json::array();
    for (const launch::Demand& demand : point.demands(chip))
        kernels.push_back({{"kernel", demand.kernel},
                           {"blocks", demand.blocks},
                           {"times", demand.times},
                           {"units", demand.units}});
    return {{"name", point.name}, {"counted_as", point.counted_as}, {"kernels", std::move(kernels)}};
}

/// An iteration of every point of these sizes that declares kernels and keeps its data on the GPU. Lines of
/// JSON: who counts, and each point in the order in which the profiler sees them.
void launch_all(const Job& job) {
    const Gpu gpu = open_gpu(job);
    if (!gpu.device) throw launch::Error(gpu.reason);
    nlohmann::json reasons;
    const nlohmann::json build = describe_build(reasons);
    const auto properties = read_gpu_properties(job.device);
    print_out("{}\n", nlohmann::json{{"commit", build["commit"]},
                                     {"dirty", build["dirty"]},
                                     {"gpu", properties ? properties.value->name : properties.reason}}
                          .dump());
    const int multiprocessors = properties ? properties.value->multiprocessors : 0;
    for (const Group& group : plan_of(job, gpu).groups) {
        for (const Point& point : group.points) {
            if (!point.demands || !point.unavailable.empty() || point.transfers.over_link()) continue;
            const std::unique_ptr<Work> work = point.prepare();
            const auto info = work->kernel_info();
            (void)work->verify();  // its fields stand at the start then
            work->select();
            gpu.device->synchronize();
            launch::profile(true);
            work->iterate(1);
            gpu.device->synchronize();
            launch::profile(false);
            const launch::Chip chip{multiprocessors, info ? info->blocks_per_multiprocessor : 0};
            print_out("{}\n", declared(point, chip).dump());
        }
    }
}

}  // namespace

void add_demands(CLI::App& app, int&) {
    auto* command =
        app.add_subcommand("_demands", "launch each variant once at these sizes, for a profiler")->group("");
    auto* experiment = command->add_option("EXPERIMENT")->required();
    const auto axes = std::make_shared<std::vector<std::string>>();
    command->add_option("--axis", *axes)->allow_extra_args(true);
    command->callback([experiment, axes] {
        Job job;
        job.experiment = experiment->as<std::string>();
        job.axes = parse_axes(*axes, {});
        launch_all(job);
    });
}

}  // namespace gridmark::harness
