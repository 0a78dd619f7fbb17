#include "kernels/maxwell/materials.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "kernels/launch/error.hpp"
#include "kernels/maxwell/quotient.hpp"
#include "kernels/maxwell/scheme.hpp"

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

namespace {

/// The shares of the cells before and behind node i; that outside the grid has none.
struct NodeShares {
    double low, high;
};

NodeShares shares(const std::vector<double>& nodes, int i) {
    const int last = static_cast<int>(nodes.size()) - 1;
    const double twice = 2 * half_distance(nodes, i);
    return {i > 0 ? (nodes[i] - nodes[i - 1]) / twice : 0, i < last ? (nodes[i + 1] - nodes[i]) / twice : 0};
}

/// The cells before and behind a node; outside the grid the one inside, which has no share.
struct Cells {
    int low, high;
};

Cells cells(int n, int i) {
    return {i > 0 ? i - 1 : 0, i < n - 1 ? i : n - 2};
}

class Averager {
  public:
    Averager(const Grid& grid, const Body& body) : grid_(grid), body_(body) {
        for (int axis = 0; axis < 3; ++axis)
            for (int i = 0; i < grid.n(axis); ++i)
                shares_[axis].push_back(shares(grid.nodes[axis], i));
    }

    /// Of component c of E at index `at`: over the four cells around its edge.
    Material around_edge(int c, const int (&at)[3]) const {
        const int a = next(c), b = before(c);
        const NodeShares sa = shares_[a][at[a]], sb = shares_[b][at[b]];
        const Cells ca = cells(grid_.n(a), at[a]), cb = cells(grid_.n(b), at[b]);
        Material sum{0, 0, 0};
        const auto add = [&](int ia, int ib, double share) {
            int cell[3];
            cell[c] = at[c] - 1;
            cell[a] = ia;
            cell[b] = ib;
            const Material& m = material(cell);
            sum.eps += share * m.eps;
            sum.sigma += share * m.sigma;
        };
        add(ca.low, cb.low, sa.low * sb.low);
        add(ca.high, cb.low, sa.high * sb.low);
        add(ca.low, cb.high, sa.low * sb.high);
        add(ca.high, cb.high, sa.high * sb.high);
        return sum;
    }

    /// mu of component c of H at index `at`: of the two cells at its face.
    double across_face(int c, const int (&at)[3]) const {
        int low[3] = {at[0] - 1, at[1] - 1, at[2] - 1}, high[3] = {at[0] - 1, at[1] - 1, at[2] - 1};
        const NodeShares s = shares_[c][at[c]];
        low[c] = cells(grid_.n(c), at[c]).low;
        high[c] = cells(grid_.n(c), at[c]).high;
        return s.low * material(low).mu + s.high * material(high).mu;
    }

  private:
    const Material& material(const int (&cell)[3]) const {
        return body_.materials[body_.cells[body_.index(grid_, cell[0], cell[1], cell[2])]];
    }

    const Grid& grid_;
    const Body& body_;
    std::vector<NodeShares> shares_[3];
};

bool inside(int (*first)(int, int), int c, const Grid& grid, const int (&at)[3]) {
    for (int axis = 0; axis < 3; ++axis)
        if (at[axis] < first(c, axis) || at[axis] >= grid.n(axis)) return false;
    return true;
}

}  // namespace

template <class T>
Averages<T> average(const Grid& grid, const Body& body, const Indices& indices, int threads) {
    const int *const low = indices.low, *const high = indices.high;
    const std::size_t row = high[2] - low[2], rows = high[1] - low[1];
    Averages<T> k;
    for (auto* arrays : {&k.eps, &k.mu, &k.sigma})
        for (Storage<T>& array : *arrays)
            array = Storage<T>(row * rows * (high[0] - low[0]));
    const Averager averager(grid, body);
#pragma omp parallel for num_threads(threads) schedule(static) collapse(2)
    for (int x = low[0]; x < high[0]; ++x)
        for (int y = low[1]; y < high[1]; ++y)
            for (int z = low[2]; z < high[2]; ++z)
                for (int c = 0; c < 3; ++c) {
                    const std::size_t i = ((x - low[0]) * rows + (y - low[1])) * row + (z - low[2]);
                    const int at[3] = {x, y, z};
                    const Material edge =
                        inside(first_e, c, grid, at) ? averager.around_edge(c, at) : Material{};
                    const double mu = inside(first_h, c, grid, at) ? averager.across_face(c, at) : 1;
                    k.eps[c][i] = static_cast<T>(edge.eps);
                    k.sigma[c][i] = static_cast<T>(edge.sigma);
                    k.mu[c][i] = static_cast<T>(mu);
                }
    return k;
}

template <class T>
Coefficients<T> average(const Grid& grid, const Body& body, int threads) {
    const Layout l = make_layout<T>(grid);
    Averages<T> k = average<T>(grid, body, {{0, 0, 0}, {l.planes(), l.rows(), l.pitch}}, threads);
    return {l, std::move(k.eps), std::move(k.mu), std::move(k.sigma)};
}

template <class T>
Coefficients<T> in_layout(const Coefficients<T>& from, const Layout& layout, int threads) {
    Coefficients<T> to{layout, {}, {}, {}};
    const std::size_t row = static_cast<std::size_t>(layout.n[2]) + 1;
    const auto copy = [&](const std::array<Storage<T>, 3>& old, std::array<Storage<T>, 3>& arrays, T vacuum) {
        for (int c = 0; c < 3; ++c) {
            arrays[c] = Storage<T>(layout.size());
#pragma omp parallel for num_threads(threads) schedule(static)
            for (int x = 0; x < layout.planes(); ++x)
                for (int y = 0; y < layout.rows(); ++y) {
                    T* const end = std::copy_n(
                        from.planes(old).row(from.layout, c, x, y), row,
                        arrays[c].data() + x * layout.plane() + std::size_t{1} * y * layout.pitch);
                    std::fill_n(end, layout.pitch - row, vacuum);
                }
        }
    };
    copy(from.eps, to.eps, T(1));
    copy(from.sigma, to.sigma, T(0));
    copy(from.mu, to.mu, T(1));
    return to;
}

template <class T>
CellMaterials<T>::CellMaterials(const Grid& grid, const Body& body, const Layout& layout)
    : layout(layout), cell(layout.size()) {
    for (const Material& m : body.materials)
        layers.push_back({static_cast<T>(m.eps), static_cast<T>(m.mu), static_cast<T>(m.sigma)});
    for (int axis = 0; axis < 3; ++axis)
        for (int i = 0; i < grid.n(axis); ++i) {
            const NodeShares both = shares(grid.nodes[axis], i);
            before[axis].push_back(static_cast<T>(both.low));
            behind[axis].push_back(static_cast<T>(both.high));
        }
    // The cell inside stands for those at and beyond the ends, whose share is 0.
    const auto inside = [&](int axis, int i) { return std::clamp(i - 1, 0, grid.n(axis) - 2); };
#pragma omp parallel for schedule(static)
    for (int x = 0; x < layout.planes(); ++x)
        for (int y = 0; y < layout.rows(); ++y)
            for (int z = 0; z < layout.pitch; ++z)
                cell[x * layout.plane() + std::size_t{1} * y * layout.pitch + z] =
                    body.cells[body.index(grid, inside(0, x), inside(1, y), inside(2, z))];
}

template <class T>
CellLookup<T> CellMaterials<T>::lookup() const {
    return {layout,
            cell.data(),
            layers.data(),
            {before[0].data(), before[1].data(), before[2].data()},
            {behind[0].data(), behind[1].data(), behind[2].data()}};
}

#define GRIDMARK_INSTANTIATE(T)                                                     \
    template Averages<T> average(const Grid&, const Body&, const Indices&, int);    \
    template Coefficients<T> average(const Grid&, const Body&, int);                \
    template Coefficients<T> in_layout(const Coefficients<T>&, const Layout&, int); \
    template struct CellMaterials<T>;
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

namespace {

/// What tells combinations apart: a node's value of each array; first eps and sigma, then mu.
template <class T>
using Key = std::array<T, 9>;
template <class T>
using Data = std::array<const T*, 9>;

template <class T>
Data<T> data_of(const Coefficients<T>& k) {
    Data<T> data;
    for (int c = 0; c < 3; ++c) {
        data[c] = k.eps[c].data();
        data[3 + c] = k.sigma[c].data();
        data[6 + c] = k.mu[c].data();
    }
    return data;
}

template <class T>
Key<T> key_at(const Data<T>& data, std::size_t i) {
    Key<T> key;
    for (std::size_t k = 0; k < key.size(); ++k)
        key[k] = data[k][i];
    return key;
}

/// All keys in order, or one too many.
template <class T>
std::vector<Key<T>> distinct(const Layout& layout, const Data<T>& data) {
    constexpr std::size_t enough = MaterialIndex<T>::most + 1;
    std::set<Key<T>> all;
#pragma omp parallel
    {
        std::set<Key<T>> own;
#pragma omp for schedule(static)
        for (int x = 0; x < layout.planes(); ++x) {
            Key<T> last = key_at(data, x * layout.plane());
            own.insert(last);
            for (std::size_t i = x * layout.plane(); i < (x + 1) * layout.plane() && own.size() < enough; ++i)
                if (const auto key = key_at(data, i); key != last) own.insert(last = key);
        }
#pragma omp critical
        all.insert(own.begin(), own.end());
    }
    return {all.begin(), all.end()};
}

/// Each node's number among the sorted keys.
template <class Number, class T>
Storage<std::uint8_t> numbered(const Layout& layout, const Data<T>& data, const std::vector<Key<T>>& keys) {
    Storage<std::uint8_t> bytes(layout.size() * sizeof(Number));
    auto* const numbers = reinterpret_cast<Number*>(bytes.data());
#pragma omp parallel for schedule(static)
    for (int x = 0; x < layout.planes(); ++x) {
        std::size_t number = 0;
        for (std::size_t i = x * layout.plane(); i < (x + 1) * layout.plane(); ++i) {
            if (const auto key = key_at(data, i); key != keys[number])
                number = std::lower_bound(keys.begin(), keys.end(), key) - keys.begin();
            numbers[i] = static_cast<Number>(number);
        }
    }
    return bytes;
}

/// Numbers of as few bytes as can tell so many combinations.
int number_width(std::size_t combinations) {
    return combinations <= 1U << 8 ? 1 : combinations <= 1U << 16 ? 2 : 4;
}

}  // namespace

template <class T>
std::size_t MaterialIndex<T>::number_at(std::size_t i) const {
    const void* const from = number.data();
    if (width == 1) return number[i];
    if (width == 2) return static_cast<const std::uint16_t*>(from)[i];
    return static_cast<const std::uint32_t*>(from)[i];
}

template <class T>
MaterialIndex<T> index_materials(const Coefficients<T>& k, T dct) {
    const Data<T> data = data_of(k);
    const auto keys = distinct(k.layout, data);
    if (keys.size() > MaterialIndex<T>::most)
        throw launch::Unavailable("the body makes more than " + std::to_string(MaterialIndex<T>::most) +
                                  " combinations of coefficients, which is what an index is made for");
    const int width = number_width(keys.size());
    MaterialIndex<T> result{k.layout,
                            width,
                            width == 1   ? numbered<std::uint8_t>(k.layout, data, keys)
                            : width == 2 ? numbered<std::uint16_t>(k.layout, data, keys)
                                         : numbered<std::uint32_t>(k.layout, data, keys),
                            {},
                            {}};
    for (const auto& key : keys) {
        auto& of_e = result.of_e.emplace_back();
        auto& of_h = result.of_h.emplace_back();
        for (int c = 0; c < 3; ++c) {
            const T denominator = e_denominator(key[c], key[3 + c], dct);
            of_e.component[c] = {key[c], denominator, reciprocal(denominator)};
            of_h.factor[c] = h_factor(key[6 + c], dct);
        }
    }
    return result;
}

#define GRIDMARK_INSTANTIATE(T)       \
    template struct MaterialIndex<T>; \
    template MaterialIndex<T> index_materials(const Coefficients<T>&, T);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)

}  // namespace gridmark::maxwell
