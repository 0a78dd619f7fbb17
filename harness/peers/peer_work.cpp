#include "harness/peers/peer_work.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>
#include <utility>

#include "harness/peers/peer_program.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

/// OpenMP's threads wait for more work by spinning, some 20 ms with GCC's, and one program's would take the
/// cores of the other's that is timed next.
constexpr auto until_threads_sleep = std::chrono::milliseconds(50);

template <class T>
class PeerWork final : public Work {
  public:
    PeerWork(const Peer& peer, std::unique_ptr<PeerProblem> problem, PeerCheck<T> check)
        : problem_(std::move(problem)),
          check_(std::move(check)),
          answer_(problem_->arrays.add<T>("answer", check_.shape)),
          program_(peer) {
        program_.request({{"do", "set up"},
                          {"device", peer.device},
                          {"file", problem_->arrays.descriptor()},
                          {"numbers", problem_->numbers},
                          {"arrays", problem_->arrays.list()}});
    }

    Verification verify() override {
        wait_until_ready();
        // An answer that is not written cannot pass.
        std::fill(answer_.begin(), answer_.end(), std::numeric_limits<T>::quiet_NaN());
        program_.ask({{"do", "answer"}, {"steps", check_.steps}});
        return check_.compare(answer_);
    }
    void iterate(int count) override { timed(count); }
    std::optional<double> timed(int count) override {
        try {
            wait_until_ready();
            std::this_thread::sleep_for(until_threads_sleep);
            const json answer = program_.ask({{"do", "time"}, {"steps", count}});
            std::this_thread::sleep_for(until_threads_sleep);
            const json seconds = answer.value("seconds", json());
            if (!seconds.is_number() || !(seconds.get<double>() > 0))
                throw PeerError("the peer's program gave no time: " + answer.dump());
            return seconds.get<double>();
        } catch (const PeerError& error) {
            throw WorkLost(this, error.what());
        }
    }
    std::string made_by() const override { return made_by_; }

  private:
    void wait_until_ready() {
        if (made_by_.empty()) made_by_ = text(program_.answer(), "program");
    }
    static std::string text(const json& answer, const char* key) {
        const auto found = answer.find(key);
        if (found == answer.end() || !found->is_string() || found->get_ref<const std::string&>().empty())
            throw PeerError("the peer's program did not say its " + std::string(key) + ": " + answer.dump());
        return *found;
    }

    std::unique_ptr<PeerProblem> problem_;
    PeerCheck<T> check_;
    std::span<T> answer_;
    PeerProgram program_;
    std::string made_by_;
};

}  // namespace

template <class T>
std::unique_ptr<Work> peer_work(const Peer& peer, std::unique_ptr<PeerProblem> problem, PeerCheck<T> check) {
    return std::make_unique<PeerWork<T>>(peer, std::move(problem), std::move(check));
}

template <class T>
std::unique_ptr<Work> peer_work(const Peer& peer, std::unique_ptr<PeerProblem> problem,
                                const std::vector<std::size_t>& shape,
                                std::shared_ptr<const StepCase<T>> step_case) {
    std::ranges::copy(step_case->start, problem->arrays.add<T>("start", shape).begin());
    const auto compare = [step_case](std::span<const T> answer) {
        return compare_whole_field<T>(answer, step_case->reference, step_case->tolerance, step_case->steps);
    };
    return peer_work<T>(peer, std::move(problem), {step_case->steps, shape, compare});
}

#define GRIDMARK_INSTANTIATE(T)                                                                        \
    template std::unique_ptr<Work> peer_work(const Peer&, std::unique_ptr<PeerProblem>, PeerCheck<T>); \
    template std::unique_ptr<Work> peer_work(const Peer&, std::unique_ptr<PeerProblem>,                \
                                             const std::vector<std::size_t>&,                          \
                                             std::shared_ptr<const StepCase<T>>);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::harness
