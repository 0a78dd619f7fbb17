#include <fmt/format.h>

#include "harness/cli/commands.hpp"
#include "harness/experiment.hpp"
#include "harness/os/streams.hpp"
#include "harness/ranks/model.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

nlohmann::json json_of(const ScalingPoint& p) {
    nlohmann::json measured = nullptr;
    if (p.measured) measured = *p.measured;
    return {{"variant", p.variant},
            {"size", p.size},
            {"scaling", p.scaling},
            {"ranks", p.ranks},
            {"steps_per_exchange", p.steps_per_exchange},
            {"computing_us", p.predicted.computing},
            {"exchange_us", p.predicted.exchange},
            {"step_us", p.predicted.time},
            {"binds", p.predicted.binds},
            {"efficiency", p.efficiency},
            {"measured_us", measured}};
}

/// A line a number of ranks; of measured ones how far the model is off.
void print(const std::string& id, const std::vector<ScalingPoint>& points) {
    std::string curve;
    for (const ScalingPoint& p : points) {
        const std::string head = fmt::format("{} {} {}, {} scaling, exchange every {}", id, p.variant, p.size,
                                             p.scaling, p.steps_per_exchange);
        if (head != curve)
            print_out("{}\n  {:>6} {:>12} {:>12} {:>12} {:>7}  {:9}  {}\n", head, "ranks", "computing",
                      "exchange", "step, us", "eff., %", "binds", "measured, us");
        curve = head;
        const std::string measured = p.measured ? fmt::format("{:.6g} (model {:+.0f} %)", *p.measured,
                                                              100 * (p.predicted.time / *p.measured - 1))
                                                : "extrapolated";
        print_out("  {:>6} {:>12.5g} {:>12.5g} {:>12.5g} {:>7.1f}  {:9}  {}\n", p.ranks,
                  p.predicted.computing, p.predicted.exchange, p.predicted.time, p.efficiency,
                  p.predicted.binds, measured);
    }
}

}  // namespace

void add_scaling(CLI::App& app, int&) {
    struct Words {
        std::string set = "results/ranks", network;
        int most = 1024;
        bool json = false;
    };
    auto words = std::make_shared<Words>();
    auto* command = app.add_subcommand(
        "scaling",
        "what steps on many ranks will take, by a model of computing and messages, beside what "
        "run --ranks measured");
    command->add_option("SET", words->set, "folder of results of run --ranks")->capture_default_str();
    command->add_option("--network", words->network,
                        "file with a network between nodes: goes on to --most ranks (docs/ranks.md)");
    command->add_option("--most", words->most, "ranks")->capture_default_str()->check(CLI::Range(1, 4096));
    command->add_flag("--json", words->json, "as JSON");
    command->callback([words] {
        const ResultSet set = load_result_set(words->set);
        std::optional<RankNetwork> network;
        if (!words->network.empty()) network = read_network(words->network);
        nlohmann::json curves = nlohmann::json::object();
        for (const auto& [id, file] : set.files) {
            const auto found = experiments().find(id);
            if (found == experiments().end()) throw UsageError(id + ".json: no such experiment");
            const auto points = scaling_of(file, found->second, network, words->most);
            if (!words->json) print(id, points);
            for (const ScalingPoint& point : points)
                curves[id].push_back(json_of(point));
        }
        if (words->json)
            print_out("{}\n",
                      nlohmann::json{{"network", network ? network->name : ""}, {"curves", curves}}.dump(1));
    });
}

}  // namespace gridmark::harness
