#include "kernels/maxwell/cases.hpp"

#include <algorithm>

#include "kernels/random.hpp"

namespace gridmark::maxwell {
namespace {

struct Point {
    double x, y, z;
};

/// The body of vacuum (material 0) and of `material` (1) in the cells whose middle is inside.
template <class Inside>
Body of_one_material(const Grid& grid, const Material& material, Inside inside) {
    Body body = empty_box(grid);
    body.materials.push_back(material);
    const auto middle = [&](int axis, int i) { return (grid.nodes[axis][i] + grid.nodes[axis][i + 1]) / 2; };
#pragma omp parallel for schedule(static)
    for (int x = 0; x < grid.n(0) - 1; ++x)
        for (int y = 0; y < grid.n(1) - 1; ++y)
            for (int z = 0; z < grid.n(2) - 1; ++z)
                if (inside(Point{middle(0, x), middle(1, y), middle(2, z)}))
                    body.cells[body.index(grid, x, y, z)] = 1;
    return body;
}

/// Where a point lies in the grid, each coordinate from 0 to 1.
struct Shares {
    explicit Shares(const Grid& grid) : grid(grid) {}
    Point operator()(const Point& p) const {
        const auto share = [&](int axis, double at) {
            return (at - grid.nodes[axis].front()) / length(axis);
        };
        return {share(0, p.x), share(1, p.y), share(2, p.z)};
    }
    double length(int axis) const { return grid.nodes[axis].back() - grid.nodes[axis].front(); }
    const Grid& grid;
};

}  // namespace

Body empty_box(const Grid& grid) {
    const std::size_t cells =
        static_cast<std::size_t>(grid.n(0) - 1) * (grid.n(1) - 1) * static_cast<std::size_t>(grid.n(2) - 1);
    return {std::vector<std::uint16_t>(cells, 0), {Material{}}};
}

Body dielectric_slab(const Grid& grid) {
    const Shares share(grid);
    return of_one_material(grid, {4, 1, 0}, [&](const Point& p) {
        const double z = share(p).z;
        return z > 0.5 && z < 0.6;
    });
}

Body lossy_sphere(const Grid& grid) {
    const Shares share(grid);
    const double radius = 0.2 * std::min({share.length(0), share.length(1), share.length(2)});
    return of_one_material(grid, {4, 1, 4 / radius}, [&](const Point& p) {
        const Point s = share(p);
        const double x = (s.x - 0.5) * share.length(0), y = (s.y - 0.5) * share.length(1),
                     z = (s.z - 0.5) * share.length(2);
        return x * x + y * y + z * z < radius * radius;
    });
}

Body aircraft(const Grid& grid) {
    struct Box {
        Point low, high;
    };
    // Along z from nose to tail; wings along x, the fin along y.
    static constexpr Box boxes[] = {{{0.46, 0.46, 0.2}, {0.54, 0.54, 0.8}},     // fuselage
                                    {{0.2, 0.48, 0.42}, {0.8, 0.51, 0.54}},     // wings
                                    {{0.36, 0.48, 0.7}, {0.64, 0.51, 0.77}},    // tailplane
                                    {{0.48, 0.51, 0.68}, {0.52, 0.66, 0.78}}};  // fin
    const Shares share(grid);
    return of_one_material(grid, {1, 1, 100}, [&](const Point& p) {
        const Point s = share(p);
        return std::any_of(std::begin(boxes), std::end(boxes), [&](const Box& b) {
            return s.x > b.low.x && s.x < b.high.x && s.y > b.low.y && s.y < b.high.y && s.z > b.low.z &&
                   s.z < b.high.z;
        });
    });
}

Body random_body(const Grid& grid, std::uint64_t seed) {
    constexpr int materials = 16;
    Body body = empty_box(grid);
    body.materials.clear();
    for (std::uint64_t k = 0; k < materials; ++k)
        body.materials.push_back({1 + 3 * unit_random(seed, 3 * k), 1 + unit_random(seed, 3 * k + 1),
                                  0.2 * unit_random(seed, 3 * k + 2)});
    const auto cells = static_cast<std::ptrdiff_t>(body.cells.size());
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t i = 0; i < cells; ++i)
        body.cells[i] =
            static_cast<std::uint16_t>(materials * unit_random(seed + 1, static_cast<std::uint64_t>(i)));
    return body;
}

Body random_body_inside(const Grid& grid, std::uint64_t seed) {
    Body body = random_body(grid, seed);
    const auto vacuum = static_cast<std::uint16_t>(body.materials.size());
    body.materials.push_back({});
    const auto outermost = [&](int axis, int cell) { return cell == 0 || cell == grid.n(axis) - 2; };
#pragma omp parallel for schedule(static)
    for (int x = 0; x < grid.n(0) - 1; ++x)
        for (int y = 0; y < grid.n(1) - 1; ++y)
            for (int z = 0; z < grid.n(2) - 1; ++z)
                if (outermost(0, x) || outermost(1, y) || outermost(2, z))
                    body.cells[body.index(grid, x, y, z)] = vacuum;
    return body;
}

}  // namespace gridmark::maxwell
