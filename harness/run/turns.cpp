#include "harness/run/turns.hpp"

#include <algorithm>

namespace gridmark::harness {

std::vector<std::size_t> turns(std::size_t members, int round) {
    // 0, 1, n - 1, 2, n - 2, ...: neighbours differ by each number once. A number added to all turns it on.
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < members; ++k)
        order.push_back(k % 2 == 1 ? (k + 1) / 2 : (members - k / 2) % members);
    if (members < 3) return order;  // two follow each other in any case
    const std::size_t at = static_cast<std::size_t>(round) % (members % 2 == 0 ? members : 2 * members);
    const bool is_back = at >= members;
    if (is_back) std::reverse(order.begin(), order.end());
    const std::size_t shift = is_back ? 2 * members - at : at;
    for (std::size_t& k : order)
        k = (k + shift) % members;
    return order;
}

std::vector<KernelTurn> kernel_turns(const std::vector<KernelMember>& members, int before, int count) {
    std::vector<KernelTurn> result;
    for (const bool cold : {false, true}) {
        std::vector<std::size_t> these;
        for (std::size_t k = 0; k < members.size(); ++k)
            if (members[k].cold == cold) these.push_back(k);
        for (int round = 0; round < count; ++round)
            for (const std::size_t turn : turns(these.size(), before + round)) {
                const int counted = members[these[turn]].iterations;
                result.push_back({these[turn], round, cold ? 0 : std::max(2, counted), counted, cold});
            }
    }
    return result;
}

}  // namespace gridmark::harness
