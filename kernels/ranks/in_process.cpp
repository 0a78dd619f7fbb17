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
struct Mailboxes {
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
    InProcess(Mailboxes& mailboxes, int rank, int ranks, Arrival arrival, std::uint64_t seed)
        : mailboxes_(mailboxes), rank_(rank), ranks_(ranks), arrival_(arrival), seed_(seed) {}
    int rank() const override { return rank_; }
    int ranks() const override { return ranks_; }

    void receive(int from, std::span<std::byte> into) override {
        std::memset(into.data(), 0xFF, into.size());  // NaN
        const std::lock_guard lock(mailboxes_.mutex);
        Message& message = next(from, rank_, &Message::announced);
        message.into = into;
        message.announced = true;
        if (is_early()) deliver(message);
    }
    void send(int to, std::span<const std::byte> what) override {
        const std::lock_guard lock(mailboxes_.mutex);
        Message& message = next(rank_, to, &Message::sent);
        message.what = what;
        message.sent = true;
        mailboxes_.changed.notify_all();  // the receiver may be waiting for it
        if (is_early()) deliver(message);
    }
    void finish() override {
        std::unique_lock lock(mailboxes_.mutex);
        mailboxes_.changed.wait(lock, [&] {
            for (Message& m : mailboxes_.messages)
                if (m.to == rank_) deliver(m);
            return mailboxes_.failed || std::ranges::none_of(mailboxes_.messages, [&](const Message& m) {
                       return !m.through && ((m.to == rank_ && m.announced) || (m.from == rank_ && m.sent));
                   });
        });
        if (mailboxes_.failed) throw Abandoned();
        std::erase_if(mailboxes_.messages, [&](const Message& m) { return m.to == rank_ && m.through; });
    }
    double most(double value) override {
        std::unique_lock lock(mailboxes_.mutex);
        mailboxes_.largest = mailboxes_.waiting == 0 ? value : std::max(mailboxes_.largest, value);
        const long meeting = mailboxes_.meeting;
        if (++mailboxes_.waiting == ranks_) {
            mailboxes_.waiting = 0;
            mailboxes_.result = mailboxes_.largest;
            ++mailboxes_.meeting;
            mailboxes_.changed.notify_all();
        } else {
            mailboxes_.changed.wait(lock, [&] { return mailboxes_.failed || mailboxes_.meeting != meeting; });
            if (mailboxes_.meeting == meeting) throw Abandoned();
        }
        return mailboxes_.result;
    }

  private:
    /// The first message of this way that does not have the one end yet; a new one if there is none.
    Message& next(int from, int to, bool Message::*end) {
        for (Message& m : mailboxes_.messages)
            if (m.from == from && m.to == to && !(m.*end)) return m;
        return mailboxes_.messages.emplace_back(Message{.from = from, .to = to, .what = {}, .into = {}});
    }
    void deliver(Message& m) {
        if (m.through || !m.sent || !m.announced || mailboxes_.failed) return;
        if (m.what.size() != m.into.size()) throw std::logic_error("a message of another size than expected");
        std::memcpy(m.into.data(), m.what.data(), m.what.size());
        m.through = true;
        mailboxes_.changed.notify_all();
    }
    bool is_early() {
        if (arrival_ != Arrival::by_chance) return arrival_ == Arrival::early;
        return unit_random(seed_ + static_cast<std::uint64_t>(rank_), drawn_++) < 0.5;
    }
    Mailboxes& mailboxes_;
    int rank_, ranks_;
    Arrival arrival_;
    std::uint64_t seed_, drawn_ = 0;
};

}  // namespace

void run_in_process(int ranks, Arrival arrival, std::uint64_t seed,
                    const std::function<void(Transport&)>& rank) {
    Mailboxes mailboxes;
    std::exception_ptr first;
    std::vector<std::thread> threads;
    for (int r = 0; r < ranks; ++r)
        threads.emplace_back([&, r] {
            try {
                InProcess transport(mailboxes, r, ranks, arrival, seed);
                rank(transport);
                // Nobody leaves with messages under way: a receiver may still read this one's memory.
                transport.most(0);
            } catch (...) {
                const std::lock_guard lock(mailboxes.mutex);
                if (!mailboxes.failed) first = std::current_exception();
                mailboxes.failed = true;
                mailboxes.changed.notify_all();
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    if (first) std::rethrow_exception(first);
}

}  // namespace gridmark::ranks
