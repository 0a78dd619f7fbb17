// Changes a result file as a document, where the fuzzer's own changes of bytes would seldom leave it one.

#include <cstdint>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using nlohmann::json;
using Random = std::minstd_rand;

const std::vector<json>& odd_values() {
    using limits = std::numeric_limits<double>;
    static const std::vector<json> values{nullptr,
                                          true,
                                          false,
                                          0,
                                          -0.0,
                                          1,
                                          -1,
                                          2,
                                          0.5,
                                          limits::max(),
                                          -limits::max(),
                                          limits::min(),
                                          limits::denorm_min(),
                                          1e-160,
                                          1e160,
                                          1e19,
                                          std::numeric_limits<std::uint64_t>::max(),
                                          std::numeric_limits<std::int64_t>::min(),
                                          "",
                                          "ok",
                                          "estimate",
                                          "skipped",
                                          "failed",
                                          "exact",
                                          "kernel",
                                          "step",
                                          "wall",
                                          "us",
                                          "time",
                                          "aggregate",
                                          "\n\x1b[31m",
                                          std::string(9000, 'a'),
                                          json::array(),
                                          json::object(),
                                          json::array({1, 2}),
                                          json::array({5, 4}),
                                          json{{"reason", "x"}}};
    return values;
}

/// Every value of the document, itself first.
void collect(json& value, std::vector<json*>& all) {
    all.push_back(&value);
    if (value.is_structured())
        for (json& part : value)
            collect(part, all);
}

void change_one(json& document, Random& random) {
    std::vector<json*> all;
    collect(document, all);
    const auto any = [&](const auto& list) -> auto& {
        return list[random() % list.size()];
    };
    json& target = *any(all);
    switch (random() % 6) {
        case 0:
            target = any(odd_values());
            break;
        case 1:
            target = json(*any(all));
            break;
        case 2:
            if (target.is_structured() && !target.empty())
                target.erase(
                    std::next(target.begin(), static_cast<std::ptrdiff_t>(random() % target.size())));
            break;
        case 3:
            if (target.is_array() && !target.empty()) target.push_back(json(any(target)));
            break;
        case 4:
            if (target.is_object() && !target.empty())
                target[any(std::vector<std::string>{"samples", "process_samples", "group", "limit", "flops",
                                                    "spans", "reason", "resume_key", "surplus"})] =
                    any(odd_values());
            break;
        default:
            if (target.is_number())
                target = target.get<double>() *
                         any(std::vector<double>{-1, 0, 0.5, 2, 1e100, 1e-100, 1e300, 1e-300});
            if (target.is_string())
                target = target.get<std::string>() + any(std::vector<std::string>{"x", "/", "\x7f"});
            break;
    }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
    Random random(seed);
    if (random() % 5 == 0) return LLVMFuzzerMutate(data, size, max_size);
    json document = json::parse(data, data + size, nullptr, false);
    if (document.is_discarded()) return LLVMFuzzerMutate(data, size, max_size);
    for (auto times = 1 + random() % 3; times > 0; --times)
        change_one(document, random);
    const std::string text = document.dump(-1, ' ', false, json::error_handler_t::replace);
    if (text.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
    std::memcpy(data, text.data(), text.size());
    return text.size();
}
