#include "harness/run/company.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "harness/os/limits.hpp"
#include "harness/run/cpu_company.hpp"

namespace gridmark::harness {

std::vector<Witness> witnesses_of(const Job&) {
    // What started this process is ours, too.
    return cpu_witnesses({}, read_affinity().value.value_or(std::vector<int>{}), ::getppid());
}

Company::Company(const std::vector<Witness>& witnesses) : witnesses_(witnesses) {
    for (const Witness& witness : witnesses)
        since_.push_back(witness.look());
}

void Company::mark(std::vector<Row>& rows, bool allowed) {
    for (std::size_t k = 0; k < witnesses_.size(); ++k) {
        const std::vector<std::string> taken = since_[k]();
        if (taken.empty()) continue;
        for (Row& row : rows)
            if (row.measured() && witnesses_[k].concerns(row)) row.disturb({taken, allowed});
    }
}

Witness witness_of(GpuWatch& watch) {
    const auto look = [&watch]() -> Witness::Since {
        watch.begin();
        return [&watch] { return watch.end(); };
    };
    // Times of a GPU's clocks, a timeline's, and what a profiler counts.
    const auto concerns = [](const Row& row) {
        return row.clock == "kernel" || row.clock == "step" || row.quantity == "busy" ||
               !row.counted_by.empty();
    };
    return {look, concerns};
}

std::vector<std::string> company_lines(const nlohmann::json& company, bool allowed) {
    std::vector<std::string> lines;
    if (const auto others = company["gpu"].get<std::vector<std::string>>(); !others.empty())
        lines.push_back(fmt::format("{}: what is measured there is disturbed{}", fmt::join(others, ", "),
                                    allowed ? "" : " and gives no verdict (--allow-shared lets it)"));
    if (company.contains("unseen"))
        lines.push_back("cannot be seen here: " + company["unseen"].get<std::string>());
    return lines;
}

}  // namespace gridmark::harness
