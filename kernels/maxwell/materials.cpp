#include "kernels/maxwell/materials.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace gridmark::maxwell {
namespace {

void check_material(const Material& material, std::size_t number) {
    const std::string where = "layer " + std::to_string(number) + ": ";
    const auto positive = [](double value) { return std::isfinite(value) && value > 0; };
    if (!positive(material.eps)) throw std::invalid_argument(where + "eps must be a positive number");
    if (!positive(material.mu)) throw std::invalid_argument(where + "mu must be a positive number");
    if (!std::isfinite(material.sigma) || material.sigma < 0)
        throw std::invalid_argument(where + "sigma must be a number not below 0");
}

}  // namespace

void check_body(const Grid& grid, const Body& body) {
    if (body.materials.empty()) throw std::invalid_argument("there is no layer");
    for (std::size_t k = 0; k < body.materials.size(); ++k)
        check_material(body.materials[k], k);
    const std::size_t cells =
        static_cast<std::size_t>(grid.n(0) - 1) * (grid.n(1) - 1) * static_cast<std::size_t>(grid.n(2) - 1);
    if (body.cells.size() != cells)
        throw std::invalid_argument("there are " + std::to_string(body.cells.size()) +
                                    " cells' materials for " + std::to_string(cells) + " cells");
    const auto last = std::max_element(body.cells.begin(), body.cells.end());
    if (*last >= body.materials.size())
        throw std::invalid_argument("cell " + std::to_string(last - body.cells.begin()) + " is of material " +
                                    std::to_string(*last) + ", which is no layer (there are " +
                                    std::to_string(body.materials.size()) + ")");
}

double stable_dct(const Grid& grid, const Body& body) {
    double sum = 0, slowest = 1e300;
    for (int axis = 0; axis < 3; ++axis) {
        double smallest = grid.cell(axis, 0);
        for (int i = 1; i + 1 < grid.n(axis); ++i)
            smallest = std::min(smallest, grid.cell(axis, i));
        sum += 1 / (smallest * smallest);
    }
    for (const Material& material : body.materials)
        slowest = std::min(slowest, material.eps * material.mu);
    // The incident wave travels through vacuum, whatever the body is made of.
    return stable_share * std::sqrt(std::min(slowest, 1.0) / sum);
}

}  // namespace gridmark::maxwell
