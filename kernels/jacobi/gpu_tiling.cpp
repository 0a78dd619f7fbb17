#include <stdexcept>

#include "kernels/jacobi/gpu.hpp"

namespace gridmark::jacobi {

void check_tiling(const Tiling& t) {
    if (t.tile_y < 1 || t.block_y < 1) throw std::invalid_argument("tile_y and block_y must be at least 1");
    if (t.block_y > 32)
        throw std::invalid_argument("block_y must be at most 32: a block has at most 1024 threads");
    if (t.tile_y % t.block_y != 0)
        throw std::invalid_argument(
            "tile_y must be a multiple of block_y: each thread works tile_y / block_y rows");
}

void check_shared_tiling(const Tiling& t) {
    check_tiling(t);
    if (t.block_y < 3)
        throw std::invalid_argument(
            "block_y must be at least 3: thread rows 1 and 2 load the halo's columns");
    if (t.tile_y > 32) throw std::invalid_argument("tile_y must be at most 32: one lane loads each halo row");
}

}  // namespace gridmark::jacobi
