#include <algorithm>
#include <stdexcept>

#include "kernels/ginzburg_landau/gpu.hpp"

namespace gridmark::ginzburg_landau {

void check_block(int block) {
    if (block < 1 || block > 1024) throw std::invalid_argument("block must lie between 1 and 1024");
}

void check_overlapping_block(int block) {
    check_block(block);
    if (block <= overlap)
        throw std::invalid_argument("block must be above 8: neighbouring blocks overlap by 8 points");
}

int overlapping_blocks(int n, int block) {
    const int advance = block - overlap;
    return std::max(1, (n - overlap + advance - 1) / advance);
}

std::vector<launch::Demand> overlap_demand(int n, int block, std::size_t shared_bytes,
                                           const launch::Chain& chain) {
    const double blocks = overlapping_blocks(n, block);
    return {{.blocks = blocks,
             .block_threads = static_cast<double>(block),
             .shared_bytes = static_cast<double>(shared_bytes),
             .units = {blocks * block},
             .code_share = 1,
             .chain = chain}};
}

double repeated_share(int n, int block) {
    return static_cast<double>(overlap) * (overlapping_blocks(n, block) - 1) / n;
}

}  // namespace gridmark::ginzburg_landau
