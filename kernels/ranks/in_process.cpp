#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <list>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "kernels/random.hpp"
#include "kernels/ranks/transport.hpp"

namespace gridmark::ranks {
namespace {

/// A message, or the place of one that is to come.
struct Message {
    int from, to;
    std::span<const std::byte> what;  ///< in the sender's memory
    std::span<std::byte> into;        ///< in the receiver's
    bool sent = false, announced = false, through = false;
};

/// What the threads have in common. One lock is enough: this is for tests of at most eight ranks.
struct Office {
    std::mutex mutex;
    std::condition_variable changed;
    std::list<Message> messages;
    bool failed = false;
    int waiting = 0;
    long meeting = 0;
    double largest = 0, result = 0;
};

struct Abandoned : std::runtime_error {
    Abandoned() : std::runtime_error("another rank failed") {}
};

class InProcess final : public Transport {
  public:
    InProcess(Office& office, int rank, int ranks, Arrival arrival, std::uint64_t seed)
        : office_(office), rank_(rank), ranks_(ranks), arrival_(arrival), seed_(seed) {}
    int rank() const override { return rank_; }
    int ranks() const override { return ranks_; }

    void receive(int from, std::span<std::byte> into) override {
        std::memset(into.data(), 0xFF, into.size());  // NaN
        const std::lock_guard lock(office_.mutex);
        Message& message = next(from, rank_, &Message::announced);
        message.into = into;
        message.announced = true;
        if (is_early()) deliver(message);
    }
    void send(int to, std::span<const std::byte> what) override {
        const std::lock_guard lock(office_.mutex);
        Message& message = next(rank_, to, &Message::sent);
        message.what = what;
        message.sent = true;
        office_.changed.notify_all();  // the receiver may be waiting for it
        if (is_early()) deliver(message);
    }
    void finish() override {
        std::unique_lock lock(office_.mutex);
        office_.changed.wait(lock, [&] {
            for (Message& m : office_.messages)
                if (m.to == rank_) deliver(m);
            return office_.failed || std::ranges::none_of(office_.messages, [&](const Message& m) {
                       return !m.through && ((m.to == rank_ && m.announced) || (m.from == rank_ && m.sent));
                   });
        });
        if (office_.failed) throw Abandoned();
        std::erase_if(office_.messages, [&](const Message& m) { return m.to == rank_ && m.through; });
    }
    double most(double value) override {
        std::unique_lock lock(office_.mutex);
        office_.largest = office_.waiting == 0 ? value : std::max(office_.largest, value);
        const long meeting = office_.meeting;
        if (++office_.waiting == ranks_) {
            office_.waiting = 0;
            office_.result = office_.largest;
            ++office_.meeting;
            office_.changed.notify_all();
        } else {
            office_.changed.wait(lock, [&] { return office_.failed || office_.meeting != meeting; });
            if (office_.meeting == meeting) throw Abandoned();
        }
        return office_.result;
    }

  private:
    /// The first message of this way that does not have the one end yet; a new one if there is none.
    Message& next(int from, int to, bool Message::*end) {
        for (Message& m : office_.messages)
            if (m.from == from && m.to == to && !(m.*end)) return m;
        return office_.messages.emplace_back(Message{.from = from, .to = to, .what = {}, .into = {}});
    }
    void deliver(Message& m) {
        if (m.through || !m.sent || !m.announced || office_.failed) return;
        if (m.what.size() != m.into.size()) throw std::logic_error("a message of another size than expected");
        std::memcpy(m.into.data(), m.what.data(), m.what.size());
        m.through = true;
        office_.changed.notify_all();
    }
    bool is_early() {
        if (arrival_ != Arrival::by_chance) return arrival_ == Arrival::early;
        return unit_random(seed_ + static_cast<std::uint64_t>(rank_), drawn_++) < 0.5;
    }
    Office& office_;
    int rank_, ranks_;
    Arrival arrival_;
    std::uint64_t seed_, drawn_ = 0;
};

}  // namespace

void run_in_process(int ranks, Arrival arrival, std::uint64_t seed,
                    const std::function<void(Transport&)>& rank) {
    Office office;
    std::exception_ptr first;
    std::vector<std::thread> threads;
    for (int r = 0; r < ranks; ++r)
        threads.emplace_back([&, r] {
            try {
                InProcess transport(office, r, ranks, arrival, seed);
                rank(transport);
                // Nobody leaves with messages under way: a receiver may still read this one's memory.
                transport.most(0);
            } catch (...) {
                const std::lock_guard lock(office.mutex);
                if (!office.failed) first = std::current_exception();
                office.failed = true;
                office.changed.notify_all();
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    if (first) std::rethrow_exception(first);
}

}  // namespace gridmark::ranks
