#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "harness/axes.hpp"
#include "harness/fields/solution.hpp"
#include "harness/model/machine_limits.hpp"
#include "harness/preset.hpp"
#include "harness/results/row.hpp"
#include "harness/settings.hpp"
#include "harness/transfers.hpp"
#include "kernels/launch/demand.hpp"
#include "kernels/launch/device.hpp"
#include "kernels/launch/kernel_info.hpp"
#include "kernels/launch/variants.hpp"

/// What a study tells the harness: which variants it has, what is measured, and how one field is computed.
/// A study is a folder in experiments/ with one function `harness::Experiment experiment()` in
/// `gridmark::<id>`.
namespace gridmark::harness {

struct RankedStudy;

/// A variant at one configuration with its data in place. Owned by the runner while its group is measured.
class Work {
  public:
    virtual ~Work() = default;
    /// Runs a few steps from the start and compares with the reference.
    virtual Verification verify() = 0;
    /// Puts `count` iterations into the device's stream (GPU) or does them (CPU). After verify(), before
    /// which no field stands at its start.
    virtual void iterate(int count) = 0;
    /// Called before each batch of samples: per-kernel state that another variant of the group may have
    /// changed.
    virtual void select() {}
    /// What the compiler made of the kernel, for GPU variants.
    virtual std::optional<launch::KernelInfo> kernel_info() const { return std::nullopt; }
    /// For work that another program does: `count` iterations, and how many seconds they took there. Others
    /// do nothing and leave the clock to the harness.
    virtual std::optional<double> timed(int /*count*/) { return std::nullopt; }
    /// That program and its version, "jax 0.11.2"; empty where it is this one.
    virtual std::string made_by() const { return {}; }
};

/// Thrown by Work::timed: what the program that does the work did wrong. It costs that work's rows alone.
struct WorkLost : std::runtime_error {
    WorkLost(const Work* work, const std::string& why) : std::runtime_error(why), work(work) {}
    const Work* work;
};

/// One way to time a point: which clock, for `step` how launches reach the GPU, and whether the L2 is flushed
/// before every iteration (kernel clock only). `own`: as another program launches them (Work::timed).
struct Series {
    enum class Clock { kernel, step, wall };
    enum class Launch { none, stream, graph, own };
    Clock clock;
    Launch launch = Launch::none;
    bool cold = false;
};

/// The kernels of an iteration on a GPU of this kind, in order; empty: not declared.
using Demands = std::function<std::vector<launch::Demand>(const launch::Chip&)>;

/// Point::counted_as of a kernel: "heat/gpu_naive/float", and what else chooses among its instances.
inline std::string counted_as(std::string_view study, std::string_view kernel, std::string_view precision,
                              std::initializer_list<std::string_view> choices = {}) {
    std::string text(study);
    for (const std::string_view word : {kernel, precision})
        text.append("/").append(word);
    for (const std::string_view word : choices)
        if (!word.empty()) text.append("/").append(word);
    return text;
}

/// What every planned thing states, however its rows get their numbers.
struct Planned {
    std::string name;  ///< "jacobi/gpu_shared/512x256/float/32x32/32x8/shared"
    std::string variant;
    Parameters parameters = {};
    bool on_gpu = false;
    Memory memory = {};            ///< that it takes while it is measured
    std::string unavailable = {};  ///< why it cannot be measured here; empty if it can (planned_here())

    /// A value of an axis: `word` goes on the name, and `values` say the same as parameters.
    void add(const std::string& word, const Parameters& values) {
        name += "/" + word;
        parameters.insert(values.begin(), values.end());
    }
};

/// One configuration of one variant. Its rows are its series; their names are `name` and a suffix each.
struct Point : Planned {
    double bytes = 0, flops = 0;  ///< declared, of a step
    double working_set = 0;       ///< bytes that an iteration touches: decides which memory bounds it
    std::vector<Series> series = {};
    std::function<std::unique_ptr<Work>()> prepare = {};
    int launches = 1;    ///< kernels that an iteration launches: each costs a launch, or a node of a graph
    int iterations = 0;  ///< of a sample of the step clock (even for a graph) or the wall clock; 0: as many
                         ///< as fill some milliseconds
    Transfers transfers = {};
    /// So many of each process (3 or more: three processes still give nine), where a sample takes so long
    /// that the protocol's number would cost minutes; 0: as many as the protocol finds enough.
    int samples = 0;
    std::string note = {};  ///< of a setting that the study chose: a line that the run prints
    int steps = 1;  ///< time steps per launch, between one load and one store; times are those of one step
    int ranks = 1;  ///< processes that share bytes, flops and working set
    /// Of several steps a launch: what a step at a time would move at least; else 0.
    double stepwise_bytes = 0;
    Memory own_memory = {};  ///< of `memory`, what other points of its group do not share with it
    Demands demands = {};
    std::string counted_as = {};  ///< whose counts (model/counts.hpp) the demands have

    /// Declares that so many steps share the bytes that were declared for one.
    void share_bytes(int among) {
        if (among == 1) return;
        stepwise_bytes = bytes;
        bytes /= among;
    }
};

/// Points that are compared with each other: measured in turns, sample by sample.
struct Group {
    std::string name;
    std::vector<Point> points;
};

/// One quantity of a profiled run.
struct Metric {
    std::string quantity, unit;
    std::string counter;     ///< the profiler's name of a counter
    std::string whole = {};  ///< of another: the value is scale * 100 counter / whole; empty: counter * scale
    double scale = 1;
    bool rest = false;  ///< with `whole`: what the counter leaves of it, 100 - 100 counter / whole
};

/// Quantities that another tool measures by running `solve` once under it (cache hit rates by a profiler).
/// Its rows are named `name`/`quantity`.
struct ProfiledPoint : Planned {
    std::vector<Metric> metrics = {};
    std::string kernel = {};              ///< a part of the kernel's name
    std::vector<std::string> solve = {};  ///< arguments of `gridmark solve`, without --out
};

/// A row whose value is computed, not timed (an error, a count of bytes): exact, without a clock. Computed in
/// the first process alone; a value that throws or is not finite has a failed row.
struct Computed : Planned {
    std::string quantity = {}, unit = {};  ///< any quantity but "time"
    std::function<double()> value = {};
};

/// What the GPU does during one pass of a variant, over each other and in turn: when it copies up, computes
/// and copies down. Recorded in the first process alone; its rows are `name`/upload, `name`/kernels and
/// `name`/download.
struct Timeline : Planned {
    std::function<std::unique_ptr<Work>()> prepare = {};
    int iterations = 1;  ///< of the pass
};

/// A row that is the difference of two others, sample by sample: what one clock sees and another does not.
struct Difference : Planned {
    std::string quantity = {};
    std::string minuend = {}, subtrahend = {};  ///< names of rows of the same unit
};

/// A row whose value follows from the medians of other rows (a model fitted to them). It is an estimate where
/// one of the others is. Without `by_process` it has no samples and no interval.
struct Derived : Planned {
    std::string quantity = {}, unit = {};  ///< any quantity but "time"
    std::vector<std::string> from = {};  ///< names of rows that are timed, computed, profiled or differences
    /// Of their medians, in the order of `from`.
    std::function<double(const std::vector<double>&)> value = {};
    /// Of each process's own medians instead: these values are its samples, and it is their median. Exact
    /// rows stand for all processes.
    bool by_process = false;
};

/// All that a preset measures.
struct Plan {
    std::vector<Group> groups;
    std::vector<ProfiledPoint> profiled;
    std::vector<Difference> differences = {};
    std::vector<Computed> computed = {};
    std::vector<Derived> derived = {};
    std::vector<Timeline> timelines = {};
};

/// `run --peers`: which program measures other frameworks' versions, and how many seconds it may take to
/// answer.
struct Peers {
    std::string program;  ///< empty: none are asked for
    double patience = 60;
};

/// `run --ranks`: grids cut among so many processes each, started by a launcher.
struct RankOptions {
    std::vector<int> counts;                ///< empty: none are asked for
    std::string launcher = "mpirun -n {}";  ///< {} stands for the number
    double patience = 60;                   ///< seconds in which they must answer
    std::string program = {};               ///< gridmark-ranks; empty: beside this program

    bool given() const { return !counts.empty(); }
};

/// What a plan may depend on.
struct PlanContext {
    Preset preset;
    int threads;
    std::uint64_t seed;
    launch::Device* gpu;     ///< null where there is none
    std::string no_gpu;      ///< why
    std::size_t gpu_memory;  ///< bytes that may be used on the GPU
    std::size_t host_memory;
    std::map<std::string, std::string> set;  ///< `run --set`: read it by Settings, which refuses other keys
    std::size_t device_memory = 0;           ///< `run --device-memory`; 0: not given
    Peers peers = {};
    Axes axes = {};          ///< `run --axis`, `run --variant`: the plan is axes_plan()
    RankOptions ranks = {};  ///< the plan is ranks_plan()
    /// This machine, without ceilings before they are measured. All processes of a run have the same.
    MachineLimits machine = {};
    int cpus = 0;  ///< that may be used; 0: no matter
    /// Why nobody knows how much of the host's memory is free; `host_memory` is then what is risked.
    std::string host_memory_unknown = {};
};

/// One `gridmark solve`.
struct SolveRequest {
    std::string variant;
    std::map<std::string, std::string> set;
    std::optional<std::filesystem::path> input;
    launch::Device* device;  ///< where a CUDA variant runs: a GPU or the host executor; null for CPU variants
    int threads;
    Recorder* recorder = nullptr;  ///< for what is kept while it computes; the command line gives one always
    /// `solve --ranks`: one number of ranks that shall compute it; null: this process.
    const RankOptions* ranks = nullptr;
    bool ranks_on_host = false;  ///< theirs of a CUDA variant: the host executor, not a GPU each
};

struct Variant {
    std::string name;
    enum class Kind { cpu, cuda } kind;
    std::string unavailable = {};  ///< why this machine cannot run it; empty if it can
    launch::Origin origin = launch::Origin::optimised;
    std::set<std::string> uses = {};  ///< what claims and presets ask for: "shared memory", "tiles"
};

/// The entries of a study's table of kernels or of CPU versions, in its order. An entry without `origin` is
/// of our own; `uses` gives the mechanisms of an entry.
template <class Table, class Uses>
std::vector<Variant> variants_of(Variant::Kind kind, const Table& table, const Uses& uses) {
    std::vector<Variant> variants;
    for (const auto& entry : table) {
        Variant variant{std::string(entry.name), kind};
        if constexpr (requires { entry.origin; }) variant.origin = entry.origin;
        if constexpr (requires { entry.unavailable_reason(); })
            variant.unavailable = entry.unavailable_reason();
        variant.uses = uses(entry);
        variants.push_back(std::move(variant));
    }
    return variants;
}

template <class Table>
std::vector<Variant> variants_of(Variant::Kind kind, const Table& table) {
    return variants_of(kind, table, [](const auto&) { return std::set<std::string>(); });
}

struct Experiment {
    std::string_view study;  ///< the text of study.json
    std::vector<Variant> variants;
    Plan (*plan)(const PlanContext&);  ///< throws UsageError for bad keys and values
    /// Throws UsageError for bad keys and values, std::invalid_argument for a combination that cannot be.
    Solution (*solve)(const SolveRequest&);
    /// The keys of SolveRequest::set. Where a row has a parameter of the same name, both mean the same, but
    /// for `steps`: a row's are those of a launch.
    std::set<std::string> solve_keys = {};
    std::set<std::string> axes = {};  ///< the keys of `run --axis`
    /// The points of a variant at settings by these keys, usually one; what is not set is as published. Their
    /// names are those of a preset's points, and their memory is what one takes by itself. Throws
    /// UsageError for a value that is none of its key's, std::invalid_argument for a combination that the
    /// variant cannot do.
    std::vector<Point> (*points)(const PlanContext&, const std::string& variant, const Settings&) = nullptr;
    /// Its grid cut among ranks (harness/ranks); null where it is not.
    const RankedStudy* ranked = nullptr;
};

/// The study's plan; of the preset quick without what the profiler measures. Where the study gave no reason
/// why a thing is unavailable, a GPU or memory that is lacking is one. Throws UsageError for bad keys and
/// values.
Plan planned_here(const Experiment& experiment, const PlanContext& context);

/// All studies, by id; generated from the folders of experiments/.
const std::map<std::string, Experiment>& experiments();

/// Whether a variant has all that `described` asks for: {"kind": "cuda", "origin": "published", "uses":
/// "shared memory"}, "lacks" for what it must not use; a list of words asks for all of them.
bool fits(const Variant& variant, const nlohmann::json& described);

/// The study's declarations, parsed. In a selector "versions" gives way to the names of the study's variants
/// that fit. This is the only rule by which a claim chooses its candidates: a new variant is one by its
/// entry.
nlohmann::json study_of(const Experiment& experiment);

}  // namespace gridmark::harness
