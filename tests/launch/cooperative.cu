// Blocks of one launch that wait for each other, rightly and wrongly.

#include <span>
#include <stdexcept>
#include <thread>

#include "kernels/launch/messages.hpp"
#include "tests/launch/kernels.hpp"

namespace gridmark::launch_tests::GRIDMARK_EXECUTOR {
namespace {

using launch::Message;

/// Without release or acquire the flag is plain memory, which on the host is right only by its turns.
enum class Mistake { none, no_wait, no_signal, no_release, no_acquire };

/// A block's neighbours on the ring.
struct Ring {
    unsigned here, before, after;
    __device__ Ring()
        : here(blockIdx.x),
          before((blockIdx.x + gridDim.x - 1) % gridDim.x),
          after((blockIdx.x + 1) % gridDim.x) {}
};

constexpr int wait_line = __LINE__ + 20;
template <Mistake mistake>
__global__ void ring_by_flags_kernel(double* values, unsigned* flags, unsigned* epochs, int steps) {
    const Ring ring;
    const bool first = threadIdx.x == 0;
    const unsigned start = epochs[ring.here], count = gridDim.x;
    for (unsigned step = 1; step <= static_cast<unsigned>(steps); ++step) {
        // The neighbours' last step: what they made of the step before, which they read, may be overwritten.
        const double* const now = values + (step + 1) % 2 * count;
        double* const next = values + step % 2 * count;
        if (first) next[ring.here] = (now[ring.before] + now[ring.after]) / 2;
        __syncthreads();
        if (first && mistake == Mistake::no_signal && ring.here == 1 && step == 2) return;
        if (first && mistake == Mistake::no_release) flags[ring.here] = start + step;
        if (first && mistake != Mistake::no_release) launch::signal(&flags[ring.here], start + step);
        const auto signalled = [&](unsigned block) {
            return mistake == Mistake::no_acquire ? static_cast<int>(flags[block] - (start + step)) >= 0
                                                  : launch::signalled(&flags[block], start + step);
        };
        if (first && mistake != Mistake::no_wait)
            launch::wait_until([&] { return signalled(ring.before) && signalled(ring.after); });
        __syncthreads();
    }
    if (first) epochs[ring.here] = start + static_cast<unsigned>(steps);
}

/// Two places a block, for messages of even and of odd numbers.
__global__ void ring_by_messages_kernel(double* values, Message<double>* messages, unsigned* epochs,
                                        int steps) {
    const Ring ring;
    if (threadIdx.x > 0) return;
    unsigned number = epochs[ring.here];
    double value = values[ring.here];
    for (int step = 0; step < steps; ++step) {
        ++number;
        Message<double>* const place = messages + number % 2 * gridDim.x;
        double before = 0, after = 0;
        launch::send(&place[ring.here], number, value);
        launch::wait_until([&] {
            const Message<double> one = launch::poll(&place[ring.before]),
                                  other = launch::poll(&place[ring.after]);
            return launch::read(one, number, before) && launch::read(other, number, after);
        });
        value = (before + after) / 2;
    }
    values[ring.here] = value;
    epochs[ring.here] = number;
}

#if defined(GRIDMARK_HOST_EXECUTOR)
/// Both halves of its bits differ from number to number.
double told(std::size_t i) {
    return 1 / (3.0 + static_cast<double>(i));
}

constexpr int alone_line = __LINE__ + 3;
void wait_alone_kernel(unsigned* flag) {
    __syncthreads();
    if (threadIdx.x == 1) launch::wait_until([&] { return launch::signalled(flag, 1); });
    __syncthreads();
    if (blockIdx.x == 7) throw std::runtime_error("never");
}

void throw_while_others_wait_kernel(unsigned* flag) {
    if (blockIdx.x == 2) throw std::runtime_error("negative temperature");
    launch::wait_until([&] { return launch::signalled(flag, 1); });
}
#endif

}  // namespace

void ring_by_flags(launch::Stream stream, double* values, unsigned* flags, unsigned* epochs, unsigned blocks,
                   unsigned threads, int steps) {
    launch::launch_cooperative(stream, {{blocks}, {threads}}, ring_by_flags_kernel<Mistake::none>, values,
                               flags, epochs, steps);
}
void ring_by_messages(launch::Stream stream, double* values, unsigned long long* messages, unsigned* epochs,
                      unsigned blocks, unsigned threads, int steps) {
    launch::launch_cooperative(stream, {{blocks}, {threads}}, ring_by_messages_kernel, values,
                               reinterpret_cast<Message<double>*>(messages), epochs, steps);
}
int ring_blocks(unsigned threads) {
    return launch::resident_blocks(ring_by_flags_kernel<Mistake::none>, threads);
}

#if defined(GRIDMARK_HOST_EXECUTOR)
void ring_without_waiting(launch::Stream stream, double* values, unsigned* flags, unsigned* epochs,
                          unsigned blocks, int steps) {
    launch::launch_cooperative(stream, {{blocks}, {2}}, ring_by_flags_kernel<Mistake::no_wait>, values, flags,
                               epochs, steps);
}
void ring_without_signal(launch::Stream stream, double* values, unsigned* flags, unsigned* epochs,
                         unsigned blocks, int steps) {
    launch::launch_cooperative(stream, {{blocks}, {1}}, ring_by_flags_kernel<Mistake::no_signal>, values,
                               flags, epochs, steps);
}
void ring_without_release(launch::Stream stream, double* values, unsigned* flags, unsigned* epochs,
                          unsigned blocks, int steps) {
    launch::launch_cooperative(stream, {{blocks}, {2}}, ring_by_flags_kernel<Mistake::no_release>, values,
                               flags, epochs, steps);
}
void ring_without_acquire(launch::Stream stream, double* values, unsigned* flags, unsigned* epochs,
                          unsigned blocks, int steps) {
    launch::launch_cooperative(stream, {{blocks}, {2}}, ring_by_flags_kernel<Mistake::no_acquire>, values,
                               flags, epochs, steps);
}
void tell_thread(std::span<double> values, std::span<unsigned> flags, std::span<unsigned long long> words) {
    auto* const messages = reinterpret_cast<Message<double>*>(words.data());
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = told(i);
        launch::signal(&flags[i], 1);
        launch::send(&messages[i], 1, told(i));
    }
}
int hear_thread(std::span<const double> values, std::span<const unsigned> flags,
                std::span<const unsigned long long> words) {
    const auto* const messages = reinterpret_cast<const Message<double>*>(words.data());
    int wrong = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        while (!launch::signalled(&flags[i], 1))
            std::this_thread::yield();
        wrong += values[i] != told(i);
        double message = 0;
        while (!launch::read(launch::poll(&messages[i]), 1, message))
            std::this_thread::yield();
        wrong += message != told(i);
    }
    return wrong;
}
void wait_alone(launch::Stream stream, unsigned* flag, unsigned blocks, bool cooperative) {
    if (cooperative)
        launch::launch_cooperative(stream, {{blocks}, {4}}, wait_alone_kernel, flag);
    else
        launch::launch(stream, {{blocks}, {4}}, wait_alone_kernel, flag);
}
void throw_while_others_wait(launch::Stream stream, unsigned* flag, unsigned blocks) {
    launch::launch_cooperative(stream, {{blocks}, {4}}, throw_while_others_wait_kernel, flag);
}
int line_of_wait_alone() {
    return alone_line;
}
#endif

int line_of_wait() {
    return wait_line;
}

}  // namespace gridmark::launch_tests::GRIDMARK_EXECUTOR
