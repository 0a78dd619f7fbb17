#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "kernels/ranks/exchange.hpp"
#include "kernels/ranks/part.hpp"

namespace gridmark::ranks {

/// What a rank omits of its steps, so that the rest can be timed by itself. The fields are then no answer.
enum class Omit { nothing, exchange, computing };

/// Advances one rank's part in step with the others. An exchange is good for several steps if its halo is as
/// many times as deep: a rank then computes points of its neighbours, too. With one step an exchange, fields
/// are exchanged before every stage that reads them.
///
/// While messages travel a rank computes what needs none of them: the inside of the first stage.
template <class T>
class Stepping {
  public:
    /// All must outlive it. The part stores `stored_box()`.
    Stepping(Transport& transport, const Cut& cut, Part<T>& part, int steps_per_exchange)
        : transport_(transport),
          cut_(cut),
          part_(part),
          steps_per_exchange_(steps_per_exchange),
          own_(cut.own(transport.rank())) {}

    /// What a part of this rank stores: its own points and the ghosts of so many steps, as far as there are
    /// points. `step` is one step's reach.
    static Box stored_box(const Cut& cut, int rank, const Reach& step, int steps_per_exchange) {
        Reach reach;
        for (int k = 0; k < steps_per_exchange; ++k)
            reach += step;
        return common(grown(cut.own(rank), reach), cut.grid());
    }

    /// All ranks call it with the same `count`.
    void steps(int count, Omit omit = Omit::nothing) {
        for (int left = count; left > 0; left -= std::min(left, steps_per_exchange_))
            block(std::min(left, steps_per_exchange_), omit);
    }

    /// Of the exchanges of a block of steps_per_exchange steps.
    std::size_t bytes_sent() { return total(&Exchange<T>::bytes_sent); }
    std::size_t messages_sent() { return total(&Exchange<T>::messages_sent); }

  private:
    /// `steps` steps behind one exchange of all that they need; a single one exchanges before each stage.
    void block(int steps, Omit omit) {
        const int stages = steps * part_.stages();
        for (int t = 0; t < stages; ++t) {
            const int stage = t % part_.stages();
            const bool exchanges = steps == 1 || t == 0;
            if (exchanges)
                with_exchange(stage, steps, target(t, steps), omit);
            else if (omit != Omit::computing)
                part_.update(stage, target(t, steps));
            if (omit != Omit::computing) part_.done(stage);
        }
    }

    void with_exchange(int stage, int steps, const Box& target, Omit omit) {
        if (omit == Omit::exchange) {
            part_.update(stage, target);
            return;
        }
        Exchange<T>& exchange = exchange_of(stage, steps);
        exchange.begin(steps == 1 ? part_.reads(stage) : part_.state());
        // Where the grid ends there are no messages to wait for.
        const Box inside = omit == Omit::computing ? Box{} : needs_no_ghosts(target, part_.reach(stage));
        if (part_.device() != nullptr) {
            if (!inside.empty()) part_.update(stage, inside);
            exchange.send();
        } else {
            exchange.send();
            for (const Box& slice : slices(inside, looks_at_messages)) {
                part_.update(stage, slice);
                transport_.progress();
            }
        }
        exchange.finish();
        if (omit == Omit::computing) return;
        for (const Box& box : without(target, inside))
            part_.update(stage, box);
    }

    /// What stage t of a block must yield, so that the later ones find all that they read.
    Box target(int t, int steps) const {
        Box box = own_;
        if (steps == 1) return box;
        for (int later = t + 1; later < steps * part_.stages(); ++later)
            box = grown(box, part_.reach(later % part_.stages()));
        return common(box, cut_.grid());
    }

    /// The points of a box that a stage computes from the rank's own points alone.
    Box needs_no_ghosts(const Box& target, const Reach& reach) const {
        Box inside = common(target, own_);
        for (int axis = 0; axis < axes; ++axis) {
            if (own_.low[axis] > cut_.grid().low[axis]) inside.low[axis] += reach.below[axis];
            if (own_.high[axis] < cut_.grid().high[axis]) inside.high[axis] -= reach.above[axis];
        }
        return inside.empty() ? Box{} : inside;
    }

    Exchange<T>& exchange_of(int stage, int steps) {
        std::unique_ptr<Exchange<T>>& exchange = exchanges_[{steps == 1 ? stage : 0, steps}];
        if (exchange != nullptr) return *exchange;
        Reach reach;
        if (steps == 1)
            reach = part_.reach(stage);
        else
            for (int k = 0; k < steps; ++k)
                reach += step_reach(part_);
        const auto fields = steps == 1 ? part_.reads(stage) : part_.state();
        exchange = std::make_unique<Exchange<T>>(transport_, cut_, reach,
                                                 steps == 1 ? Ghosts::across_faces : Ghosts::all_around,
                                                 static_cast<int>(fields.size()), part_.device());
        return *exchange;
    }

    std::size_t total(std::size_t (Exchange<T>::*of)() const) {
        std::size_t sum = 0;
        const int exchanges = steps_per_exchange_ == 1 ? part_.stages() : 1;
        for (int stage = 0; stage < exchanges; ++stage)
            sum += (exchange_of(stage, steps_per_exchange_).*of)();
        return sum;
    }

    /// How often a CPU that computes lets messages go on.
    static constexpr int looks_at_messages = 8;

    Transport& transport_;
    const Cut& cut_;
    Part<T>& part_;
    int steps_per_exchange_;
    Box own_;
    std::map<std::pair<int, int>, std::unique_ptr<Exchange<T>>> exchanges_;
};

}  // namespace gridmark::ranks
