#include "harness/ranks/rank_work.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

#include "harness/ranks/plan.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

class RankWork final : public Work {
  public:
    RankWork(std::shared_ptr<RankJob> job, const RankSetUp& set_up, ranks::Omit omit)
        : field_(std::move(job), set_up), omit_(omit), steps_per_exchange_(set_up.steps_per_exchange) {}

    Verification verify() override {
        const json v = field_.ask("verify");
        return {v.at("against"), v.at("distance"), v.at("tolerance"), v.at("steps"), v.at("scale")};
    }
    void iterate(int count) override { timed(count); }
    std::optional<double> timed(int count) override {
        try {
            // Whole blocks between two exchanges: fewer steps would exchange more often than they shall.
            const int blocks = (count + steps_per_exchange_ - 1) / steps_per_exchange_,
                      steps = blocks * steps_per_exchange_;
            const json answer = field_.ask("time", {{"steps", steps}, {"omit", omit_}});
            return answer.at("seconds").get<double>() * count / steps;
        } catch (const RankError& error) {
            throw WorkLost(this, error.what());
        } catch (const json::exception& error) {
            throw WorkLost(this, error.what());
        }
    }
    std::string made_by() const override { return field_.job().made_by(); }

  private:
    RankField field_;
    ranks::Omit omit_;
    int steps_per_exchange_;
};

/// A file for the ranks' answer, gone with the object.
class AnswerFile {
  public:
    AnswerFile() {
        std::string name = (std::filesystem::temp_directory_path() / "gridmark-XXXXXX").string();
        const int made = ::mkstemp(name.data());
        if (made < 0) throw UsageError(fmt::format("--ranks: cannot make a file in {}", name));
        ::close(made);
        name_ = name;
    }
    AnswerFile(const AnswerFile&) = delete;
    AnswerFile& operator=(const AnswerFile&) = delete;
    ~AnswerFile() { ::unlink(name_.c_str()); }
    const std::string& name() const { return name_; }

  private:
    std::string name_;
};

template <class T>
class RankedStepper final : public Stepper<T> {
  public:
    RankedStepper(std::shared_ptr<RankJob> job, const RankSetUp& set_up) : field_(std::move(job), set_up) {}

    void start(std::span<const T>, std::span<const T>) override { field_.ask("start"); }
    void steps(int count) override {
        if (count > 0) field_.ask("steps", {{"steps", count}});
    }
    void read(std::span<T> values) override {
        field_.ask("write", {{"file", file_.name()}});
        std::ifstream file(file_.name(), std::ios::binary);
        if (!file.read(reinterpret_cast<char*>(values.data()),
                       static_cast<std::streamsize>(values.size_bytes())))
            throw RankError("the ranks' answer is shorter than the field");
    }

  private:
    RankField field_;
    AnswerFile file_;
};

}  // namespace

std::shared_ptr<RankJob> SharedRankJob::get() {
    std::shared_ptr<RankJob> job = job_.lock();
    if (job == nullptr) job_ = job = std::make_shared<RankJob>(options_, ranks_);
    return job;
}

RankField::RankField(std::shared_ptr<RankJob> job, const RankSetUp& s)
    : job_(std::move(job)), id_(job_->new_id()) {
    job_->ask({{"do", "set up"},
               {"id", id_},
               {"experiment", s.study},
               {"on", s.on},
               {"set", s.set},
               {"times", s.times},
               {"threads", s.threads},
               {"seed", s.seed},
               {"steps_per_exchange", s.steps_per_exchange},
               {"parts", s.parts}});
}

RankField::~RankField() {
    try {
        ask("drop");
    } catch (const std::exception&) {  // the ranks are gone, and the field with them
    }
}

json RankField::ask(const char* what, json further) {
    further["do"] = what;
    further["id"] = id_;
    return job_->ask(further);
}

std::unique_ptr<Work> rank_work(const std::shared_ptr<SharedRankJob>& job, const RankSetUp& set_up,
                                ranks::Omit omit) {
    return std::make_unique<RankWork>(job->get(), set_up, omit);
}

template <class T>
std::unique_ptr<Stepper<T>> ranked_stepper(const SolveRequest& request, const std::string& study,
                                           const RankedStudy& ranked,
                                           const std::map<std::string, std::string>& set,
                                           const Settings& settings, std::uint64_t seed) {
    const int count = request.ranks->counts.at(0);
    const RankGrid grid = ranked.grid(Settings(set, ranked.keys), 1);
    const RankSetUp set_up{
        .study = study,
        .on = request.variant == ranks_cpu ? "cpu"
              : request.ranks_on_host      ? "host"
                                           : "gpu",
        .set = set,
        .threads = std::max(1, request.threads / count),
        .seed = seed,
        .steps_per_exchange = static_cast<int>(settings.integer("steps_per_exchange", 1, 1, 1000)),
        .parts = parts_of(grid, settings.text("cut", "auto"), count)};
    return std::make_unique<RankedStepper<T>>(SharedRankJob(*request.ranks, count).get(), set_up);
}

template std::unique_ptr<Stepper<float>> ranked_stepper(const SolveRequest&, const std::string&,
                                                        const RankedStudy&,
                                                        const std::map<std::string, std::string>&,
                                                        const Settings&, std::uint64_t);
template std::unique_ptr<Stepper<double>> ranked_stepper(const SolveRequest&, const std::string&,
                                                         const RankedStudy&,
                                                         const std::map<std::string, std::string>&,
                                                         const Settings&, std::uint64_t);

}  // namespace gridmark::harness
