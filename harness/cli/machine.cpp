#include <fmt/format.h>

#include "harness/ceilings/ceilings.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/doctor.hpp"
#include "harness/machine/describe_machine.hpp"
#include "harness/machine/served_gpu.hpp"
#include "harness/os/limits.hpp"
#include "harness/os/streams.hpp"
#include "kernels/launch/error.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

void print_machine(const json& machine) {
    for (const char* part : {"cpu", "gpu", "topology", "software", "build", "scheduler"}) {
        if (!machine.contains(part)) continue;
        const json flat = json{{part, machine[part]}}.flatten();
        for (const auto& [pointer, value] : flat.items()) {
            std::string path = pointer.substr(1);
            for (char& c : path)
                if (c == '/') c = '.';
            const std::string reason = machine["reasons"].value(path, "");
            print_out("{:<36} {}\n", path,
                      value.is_null() && !reason.empty() ? "unknown: " + reason
                      : value.is_string()                ? value.get<std::string>()
                                                         : value.dump());
        }
    }
    for (const json& ceiling : machine["ceilings"]) {
        const auto name = ceiling["name"].get<std::string>();
        if (ceiling["value"].is_number())
            print_out("{:<36} {:.5g} {}  ({})\n", name, ceiling["value"].get<double>(),
                      ceiling["unit"].get<std::string>(), ceiling["how"].get<std::string>());
        else
            print_out("{:<36} unknown: {}\n", name, ceiling["reason"].get<std::string>());
    }
}

}  // namespace

void add_machine(CLI::App& app, int&) {
    auto* command =
        app.add_subcommand("machine", "CPU, GPU, memory, clocks, versions, and the ceilings measured here");
    auto* as_json = command->add_flag("--json")->description("as JSON");
    auto device = std::make_shared<int>(0);
    add_device(*command, *device);
    auto* doctor =
        command->add_flag("--doctor")
            ->description("only what is found, what is missing, what that costs and what mends it");
    command->callback([as_json, device, doctor] {
        if (doctor->count() > 0) return print_doctor();
        const Threads team = start_threads(0);
        std::unique_ptr<launch::Device> gpu;
        try {
            gpu = served_gpu(*device);
        } catch (const launch::Unavailable&) {
            // Its absence, with the reason, is part of what is printed.
        }
        json machine = describe_machine({.threads = team.threads, .gpu_ordinal = *device});
        if (!team.remark.empty()) machine["cpu"]["threads_remark"] = team.remark;
        machine["ceilings"] = measure_ceilings({.threads = team.threads, .gpu = gpu.get()});
        if (as_json->count() > 0)
            print_out("{}\n", machine.dump(1));
        else
            print_machine(machine);
    });
}

}  // namespace gridmark::harness
