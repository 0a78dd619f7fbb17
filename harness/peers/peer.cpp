#include "harness/peers/peer.hpp"

#include <utility>

#include "harness/availability.hpp"
#include "harness/gpu/properties.hpp"

namespace gridmark::harness {

void add_peers(Group& group, const PlanContext& context, const PeerChoice& choice,
               const std::function<Point(const std::string& variant)>& base,
               const std::function<std::unique_ptr<Work>(const Peer&)>& work) {
    if (context.peers.program.empty()) return;
    const std::string unavailable = choice.on_gpu
                                        ? gpu_unavailable_reason(context, choice.gpu_bytes, choice.host_bytes)
                                        : cpu_unavailable_reason(context, choice.host_bytes);
    for (const std::string& framework : choice.frameworks) {
        Point point = base("peer_" + framework + (choice.on_gpu ? "" : "_cpu"));
        point.series = {choice.on_gpu ? Series{Series::Clock::step, Series::Launch::own}
                                      : Series{Series::Clock::wall}};
        if (!choice.on_gpu) {
            const int threads = framework == "numpy" ? 1 : context.threads;  // NumPy's loops are serial
            point.parameters.update({{"team", threads == 1 ? "one" : "all"}, {"threads", threads}});
        }
        point.iterations = choice.iterations;
        point.unavailable = unavailable;
        point.prepare = [work, peers = context.peers, gpu = choice.on_gpu ? context.gpu : nullptr,
                         name = choice.study + "_" + framework] {
            return work({peers.program, name, peers.patience, gpu == nullptr ? -1 : gpu_ordinal(*gpu)});
        };
        group.points.push_back(std::move(point));
    }
}

}  // namespace gridmark::harness
