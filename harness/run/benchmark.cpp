#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>

#include "harness/os/output.hpp"
#include "harness/os/streams.hpp"
#include "harness/run/measure.hpp"
#include "harness/run/prepared.hpp"
#include "harness/run/registry.hpp"
#include "harness/run/request.hpp"
#include "harness/run/rows.hpp"
#include "harness/run/run.hpp"
#include "harness/run/samplers.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

/// Measures one row at a time: prepared and verified when Google Benchmark asks for it. An iteration is a
/// step. They come in batches, each a sample of the harness's own clocks, until Google Benchmark has enough.
class RowBenchmark {
  public:
    RowBenchmark(launch::Device* gpu, const Protocol& protocol) : gpu_(gpu), protocol_(protocol) {}

    void repeat(const TimedRow& row, benchmark::State& state) {
        if (row_ != &row) prepare(row);
        const Point& point = *row.point;
        const benchmark::IterationCount batch =
            none_ ? 1 : benchmark::IterationCount{members_.front().iterations} * point.steps;
        // As many as it asks for: of the last batch a part counts.
        for (auto left = state.max_iterations; !none_; left -= std::min(left, batch)) {
            const auto counted = std::clamp<benchmark::IterationCount>(left, 1, batch);
            if (!state.KeepRunningBatch(counted)) break;
            double seconds = 0;  // of a launch
            none_ = attempt([&] { seconds = sampler_->rounds(1).at(0).at(0); }, gpu_lost_);
            state.SetIterationTime(seconds / point.steps * static_cast<double>(counted));
        }
        if (none_) {
            failed_ = failed_ || none_->status == Status::failed;
            state.SkipWithError(none_->reason.c_str());
            return;
        }
        const auto steps = static_cast<double>(state.iterations());
        if (point.bytes > 0) state.SetBytesProcessed(static_cast<std::int64_t>(point.bytes * steps));
        if (point.flops > 0)
            state.counters["flops"] = benchmark::Counter(point.flops * steps, benchmark::Counter::kIsRate);
        if (const auto& v = prepared_.verification)
            state.SetLabel(fmt::format("error {:.1e} of {:.1e} allowed", v->error, v->tolerance));
    }
    /// Whether a row failed, as opposed to one that cannot be had here.
    bool failed() const { return failed_; }

  private:
    /// Lets go of the row before, for two may need more memory than there is.
    void prepare(const TimedRow& row) {
        sampler_.reset();
        prepared_ = {};
        members_.clear();
        row_ = &row;
        none_.reset();
        if (gpu_lost_)
            none_ = MissingReason{Status::failed, "the GPU was lost to an earlier error"};
        else
            prepared_ = make(row.point->prepare, gpu_lost_);
        check(prepared_, gpu_lost_);
        if (prepared_.none) none_ = prepared_.none;
        if (none_) return;
        members_ = {{prepared_.work.get(), row.series, row.point->iterations}};
        none_ =
            attempt([&] { sampler_ = make_sampler(row.series.clock, members_, gpu_, protocol_); }, gpu_lost_);
    }

    launch::Device* gpu_;
    Protocol protocol_;
    const TimedRow* row_ = nullptr;  // the one that is prepared
    Prepared prepared_;
    std::vector<Timed> members_;
    std::unique_ptr<Sampler> sampler_;
    std::optional<MissingReason> none_;
    bool gpu_lost_ = false, failed_ = false;
};

/// Reports into a text. Google Benchmark's own file would be written over whatever the path names, and a loss
/// of it would not be seen.
class FileReporter : public benchmark::BenchmarkReporter {
  public:
    explicit FileReporter(std::unique_ptr<benchmark::BenchmarkReporter> form) : form_(std::move(form)) {
        form_->SetOutputStream(&text_);
        form_->SetErrorStream(&text_);
    }
    bool ReportContext(const Context& context) override { return form_->ReportContext(context); }
    void ReportRuns(const std::vector<Run>& runs) override { form_->ReportRuns(runs); }
    void Finalize() override { form_->Finalize(); }
    std::string text() const { return text_.str(); }

  private:
    std::unique_ptr<benchmark::BenchmarkReporter> form_;
    std::ostringstream text_;
};

/// The value of the last of these flags of this name, which is taken out; empty where there is none.
std::string take_flag(std::vector<std::string>& flags, const std::string& name) {
    std::string value;
    for (const std::string& flag : flags)
        if (flag.starts_with(name)) value = flag.substr(name.size());
    std::erase_if(flags, [&](const std::string& flag) { return flag.starts_with(name); });
    return value;
}

std::unique_ptr<benchmark::BenchmarkReporter> form_of(const std::string& word) {
    if (word == "console")
        return std::make_unique<benchmark::ConsoleReporter>(benchmark::ConsoleReporter::OO_None);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    if (word == "csv") return std::make_unique<benchmark::CSVReporter>();
#pragma GCC diagnostic pop
    return std::make_unique<benchmark::JSONReporter>();
}

/// Google Benchmark prints its usage and ends with 0 for what it does not know: told here instead.
void check_flags(const std::vector<std::string>& flags) {
    for (const std::string& flag : flags) {
        if (!flag.starts_with("--benchmark_")) throw UsageError(flag + ": not a flag of Google Benchmark");
        for (const std::string format : {"--benchmark_format=", "--benchmark_out_format="})
            if (flag.starts_with(format)) {
                const std::string word = flag.substr(format.size());
                if (word != "console" && word != "json" && word != "csv")
                    throw UsageError(flag + ": console, json or csv");
            }
    }
}

void initialize(std::vector<std::string> flags) {
    static std::string program = "gridmark";  // Google Benchmark keeps the pointer, for its reports
    std::vector<char*> words{program.data()};
    for (std::string& flag : flags)
        words.push_back(flag.data());
    int count = static_cast<int>(words.size());
    words.push_back(nullptr);
    benchmark::Initialize(&count, words.data());
    if (count > 1) throw UsageError(std::string(words[1]) + ": not a flag of Google Benchmark");
}

/// Whether Google Benchmark's filter takes a row. It adds to the names.
class Filter {
  public:
    Filter() : expression_(benchmark::GetBenchmarkFilter()), negated_(expression_.starts_with('-')) {}
    bool takes(const std::string& name) const { return filter_.matches(name + "/manual_time") != negated_; }

  private:
    std::string expression_;
    bool negated_;
    RowFilter filter_{expression_.substr(negated_ ? 1 : 0)};
};

/// Whether the filter takes a row that cannot be measured here.
bool takes_a_row_elsewhere(const std::list<Plan>& plans) {
    const Filter filter;
    for (const Plan& plan : plans)
        for (const auto& [name, row] : timed_rows_by_name(plan))
            if (!row.point->unavailable.empty() && filter.takes(name)) return true;
    return false;
}

/// Rows may come in any order but for kernel times beside others: CUPTI's hooks stay in the process.
void check_interleaving(const std::list<TimedRow>& timed) {
    const Filter filter;
    bool kernel = false, other = false;
    for (const TimedRow& row : timed)
        if (filter.takes(row.name)) (row.series.clock == Series::Clock::kernel ? kernel : other) = true;
    if (kernel && other)
        throw UsageError(
            "--benchmark_enable_random_interleaving: not of kernel times beside others, which their profiler "
            "would disturb; a filter by kernel/, or by step/ or wall, leaves one kind");
}

/// Says which rows are left out here, by reason.
void tell_unavailable(const std::string& experiment, const Plan& plan) {
    std::map<std::string, int> reasons;
    for (const Group& group : plan.groups)
        for (const Point& point : group.points)
            if (!point.unavailable.empty())
                reasons[point.unavailable] += static_cast<int>(point.series.size());
    for (const auto& [reason, count] : reasons)
        write_error(
            fmt::format("{}: {} row{} not here: {}\n", experiment, count, count == 1 ? "" : "s", reason));
}

}  // namespace

int benchmark_rows(const RunOptions& given, std::vector<std::string> flags) {
    const Threads team = start_threads(given.threads);
    if (!team.remark.empty()) write_error(team.remark + "\n");
    const RunRequest request = check_request(with_threads(given, team));
    check_flags(flags);
    const std::string out = take_flag(flags, "--benchmark_out="),
                      form = take_flag(flags, "--benchmark_out_format=");
    if (!out.empty()) check_output(out, "--benchmark_out");
    // It opens the file that it is to report into; the variable BENCHMARK_OUT names none.
    flags.emplace_back(out.empty() ? "--benchmark_out=" : "--benchmark_out=/dev/null");
    const auto has = [&](const std::string& flag) {
        return std::ranges::any_of(flags, [&](const std::string& other) { return other.starts_with(flag); });
    };
    const std::string interleaving = "--benchmark_enable_random_interleaving";
    const bool interleaved = has(interleaving) && !has(interleaving + "=false"),
               listed = has("--benchmark_list_tests");
    initialize(std::move(flags));
    // Static, and made before any of a study's own statics, which may hold memory of it to the end.
    static const Gpu gpu = open_gpu(request.job);
    std::list<Plan> plans;
    std::list<TimedRow> timed;  // a list: what is registered refers to them
    for (const std::string& id : request.experiments) {
        Job job = request.job;
        job.experiment = id;
        const Plan& plan = plans.emplace_back(plan_of(job, gpu));
        tell_unavailable(id, plan);
        for (TimedRow& row : timed_rows(plan))
            timed.push_back(std::move(row));
    }
    // Of all studies: CUPTI's hooks stay in the process (timed_rows).
    timed.sort([](const TimedRow& a, const TimedRow& b) {
        return a.series.clock != Series::Clock::kernel && b.series.clock == Series::Clock::kernel;
    });
    RowBenchmark rows(gpu.device.get(), protocol(request.options.preset));  // goes before what it refers to
    for (const TimedRow& row : timed)
        benchmark::RegisterBenchmark(row.name.c_str(),
                                     [&rows, &row](benchmark::State& state) { rows.repeat(row, state); })
            ->UseManualTime()
            ->Unit(benchmark::kMicrosecond);
    if (interleaved) check_interleaving(timed);
    if (!listed)
        write_error(
            "Times are by gridmark's own clocks: that Debian builds Google Benchmark as DEBUG changes "
            "none.\n");
    FileReporter report(form_of(form));
    const std::size_t matching =
        timed.empty() ? 0 : benchmark::RunSpecifiedBenchmarks(nullptr, out.empty() ? nullptr : &report);
    if (matching == 0 && !takes_a_row_elsewhere(plans))
        throw UsageError("--benchmark_filter: no row matches");
    if (!report.text().empty()) write_atomically(out, report.text());
    return rows.failed() ? 1 : 0;
}

}  // namespace gridmark::harness
