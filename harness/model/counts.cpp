#include "harness/model/counts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gridmark::harness {
namespace {

constexpr double instruction_bytes = 16;  // since Volta

double total(const std::array<double, 3>& units, const std::array<double, 3>& each) {
    return std::inner_product(units.begin(), units.end(), each.begin(), 0.0);
}

}  // namespace

bool add_counts(std::vector<launch::Demand>& kernels, std::span<const Counts> counts, const std::string& as) {
    for (launch::Demand& demand : kernels) {
        if (demand.units == std::array<double, 3>{}) continue;
        const auto found = std::ranges::find_if(
            counts, [&](const Counts& each) { return each.as == as && each.kernel == demand.kernel; });
        if (found == counts.end()) return false;
        demand.instructions = total(demand.units, found->instructions);
        demand.l1_bytes = total(demand.units, found->l1_bytes);
        demand.l2_bytes = total(demand.units, found->l2_bytes);
        demand.flops = total(demand.units, found->flops);
        const double warps = std::ceil(demand.block_threads / 32),
                     of_a_block = demand.instructions / demand.blocks;
        demand.code_bytes = demand.code_share * instruction_bytes * of_a_block / warps;
        if (demand.chain.issues)
            demand.chain.issued = of_a_block / std::min(warps, schedulers_of_a_multiprocessor);
    }
    return true;
}

}  // namespace gridmark::harness
