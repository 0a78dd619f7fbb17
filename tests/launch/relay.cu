// Messages between the blocks of a cluster, rightly and wrongly.

#include "kernels/launch/relay.hpp"

#include "kernels/launch/vector.hpp"
#include "tests/launch/kernels.hpp"

namespace gridmark::launch_tests::GRIDMARK_EXECUTOR {
namespace {

using Pair = launch::Vector<double>;
using Messages = launch::Relay<Pair, 3>;

enum class Mistake { none, no_room, no_release };

/// Message n of a block is its own numbers; its last word is sent later, when that of the block before has
/// come, and adds it. All are written down.
template <Mistake mistake>
__global__ void relay_kernel(double* to, int size, int messages, int words) {
    GRIDMARK_DYNAMIC_SHARED(Pair, shared);
    Messages relay(shared, words);
    launch::cluster_barrier();
    const int rank = launch::cluster_rank(), word = threadIdx.x;
    for (int n = 0; n < messages; ++n) {
        if (word < words) {
            Pair value{{100.0 * blockIdx.x + n, static_cast<double>(word)}};
            if (rank > 0 && word == words - 1)
                for (int i = 0; i < 2; ++i)
                    value.at[i] += relay.receive(n)[word].at[i];
            if (rank + 1 < size) {
                if (mistake != Mistake::no_room) relay.wait_for_room(n);
                relay.send(n, word, value);
            }
            for (int i = 0; i < 2; ++i)
                to[((blockIdx.x * messages + n) * words + word) * 2 + i] = value.at[i];
        }
        __syncthreads();
        if (mistake != Mistake::no_release && rank > 0 && threadIdx.x == 0) relay.release(n);
    }
    launch::cluster_barrier();
}

template <Mistake mistake>
void run(launch::Stream stream, double* to, unsigned clusters, int size, int messages, int words) {
    const std::size_t shared = Messages::bytes(words);
    launch::allow_dynamic_shared(relay_kernel<mistake>, shared);
    launch::launch_clusters(stream, {{clusters * size}, {40}, shared}, static_cast<unsigned>(size),
                            relay_kernel<mistake>, to, size, messages, words);
}

#if defined(GRIDMARK_HOST_EXECUTOR)
void meet_nobody_kernel() {
    launch::cluster_barrier();
}
#endif

}  // namespace

void relay(launch::Stream stream, double* to, unsigned clusters, int size, int messages, int words) {
    run<Mistake::none>(stream, to, clusters, size, messages, words);
}
void empty_clusters(launch::Stream stream, launch::Dim3 grid, unsigned size, double* to) {
    launch::launch_clusters(stream, {grid, {1}, Messages::bytes(1)}, size, relay_kernel<Mistake::none>, to, 1,
                            0, 1);
}

#if defined(GRIDMARK_HOST_EXECUTOR)
void relay_without_room(launch::Stream stream, double* to, int messages) {
    run<Mistake::no_room>(stream, to, 2, 3, messages, 5);
}
void relay_without_release(launch::Stream stream, double* to, int messages) {
    run<Mistake::no_release>(stream, to, 2, 3, messages, 5);
}
void meet_nobody(launch::Stream stream) {
    launch::launch(stream, {{1}, {2}}, meet_nobody_kernel);
}
#endif

}  // namespace gridmark::launch_tests::GRIDMARK_EXECUTOR
