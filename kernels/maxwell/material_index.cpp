#include "kernels/maxwell/material_index.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <string>

#include "kernels/launch/error.hpp"
#include "kernels/maxwell/quotient.hpp"
#include "kernels/maxwell/scheme.hpp"

namespace gridmark::maxwell {
namespace {

/// What tells combinations apart: a node's value of each array.
template <class T, std::size_t arrays>
using Key = std::array<T, arrays>;

template <class T, std::size_t arrays>
Key<T, arrays> key_at(const Key<const T*, arrays>& data, std::size_t i) {
    Key<T, arrays> key;
    for (std::size_t k = 0; k < arrays; ++k)
        key[k] = data[k][i];
    return key;
}

/// All keys in order, or too many: no more than one more than a byte can tell is looked for.
template <class T, std::size_t arrays>
std::vector<Key<T, arrays>> distinct(const Layout& layout, const Key<const T*, arrays>& data) {
    constexpr std::size_t enough = MaterialIndex<T>::most + 1;
    std::set<Key<T, arrays>> all;
#pragma omp parallel
    {
        std::set<Key<T, arrays>> own;
#pragma omp for schedule(static)
        for (int x = 0; x < layout.planes(); ++x) {
            Key<T, arrays> last = key_at(data, x * layout.plane());
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
template <class T, std::size_t arrays>
Storage<std::uint8_t> numbered(const Layout& layout, const Key<const T*, arrays>& data,
                               const std::vector<Key<T, arrays>>& keys) {
    Storage<std::uint8_t> numbers(layout.size());
#pragma omp parallel for schedule(static)
    for (int x = 0; x < layout.planes(); ++x) {
        std::size_t number = 0;
        for (std::size_t i = x * layout.plane(); i < (x + 1) * layout.plane(); ++i) {
            if (const auto key = key_at(data, i); key != keys[number])
                number = std::lower_bound(keys.begin(), keys.end(), key) - keys.begin();
            numbers[i] = static_cast<std::uint8_t>(number);
        }
    }
    return numbers;
}

template <class T, std::size_t arrays>
Storage<std::uint8_t> index(const char* field, const Layout& layout, const Key<const T*, arrays>& data,
                            std::vector<Key<T, arrays>>& keys) {
    keys = distinct<T>(layout, data);
    if (keys.size() > MaterialIndex<T>::most)
        throw launch::Unavailable(std::string("the body gives ") + field + " more than " +
                                  std::to_string(MaterialIndex<T>::most) +
                                  " combinations of coefficients, which is what a byte a node can tell");
    return numbered<T>(layout, data, keys);
}

}  // namespace

template <class T>
MaterialIndex<T> index_materials(const Coefficients<T>& k, T dct) {
    MaterialIndex<T> result{k.layout, {}, {}, {}, {}};
    std::vector<Key<T, 6>> of_e;
    result.e = index<T, 6>("E", k.layout,
                           {k.eps[0].data(), k.eps[1].data(), k.eps[2].data(), k.sigma[0].data(),
                            k.sigma[1].data(), k.sigma[2].data()},
                           of_e);
    for (const auto& key : of_e) {
        auto& entry = result.of_e.emplace_back();
        for (int c = 0; c < 3; ++c) {
            const T denominator = e_denominator(key[c], key[3 + c], dct);
            entry.component[c] = {key[c], denominator, reciprocal(denominator)};
        }
    }
    std::vector<Key<T, 3>> of_h;
    result.h = index<T, 3>("H", k.layout, {k.mu[0].data(), k.mu[1].data(), k.mu[2].data()}, of_h);
    for (const auto& key : of_h) {
        auto& entry = result.of_h.emplace_back();
        for (int c = 0; c < 3; ++c)
            entry.factor[c] = h_factor(key[c], dct);
    }
    return result;
}

#define GRIDMARK_INSTANTIATE(T)       \
    template struct MaterialIndex<T>; \
    template MaterialIndex<T> index_materials(const Coefficients<T>&, T);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)

}  // namespace gridmark::maxwell
