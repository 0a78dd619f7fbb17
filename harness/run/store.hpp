#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/results/result_file.hpp"
#include "harness/run/rows.hpp"

namespace gridmark::harness {

/// What an earlier run left in this file. A damaged one is refused in one line, which names --fresh.
ResultFile read_earlier(const std::filesystem::path& path);

/// One experiment's result file while it grows: every change is on the disk before the next row is measured.
class Store {
  public:
    /// Opens out/<experiment>.json. A file with the same `resume_key` in its context is continued; another
    /// one (or any, with `fresh`) is set aside as <experiment>.old-N.json. Throws UsageError for a file that
    /// cannot be read.
    Store(std::filesystem::path path, nlohmann::json context, const Standards& standards, bool fresh);

    /// Rows and how many processes they hold; -1 for those that need no more (skipped, profiled).
    std::map<std::string, int> finished() const;
    /// True when the row holds all its processes or a reason for holding none.
    bool done(const std::string& name) const;
    const Row* find(const std::string& name) const;

    /// Adds a process's row to what earlier ones gave; returns the row as it now is. Not yet on the disk.
    const Row& add(const Row& row);
    /// Puts a row in place of what there was.
    void replace(const Row& row) { rows_.insert_or_assign(row.name, row); }
    /// All row names in the order that the file shall have; before it is called, those of the file that is
    /// continued.
    void set_order(std::vector<std::string> names) {
        order_ = std::move(names);
        planned_ = true;
    }
    /// Notes the GPU's clocks around a process and the share of CPU time that was stolen meanwhile, of
    /// several processes the greatest; and why any could not be read.
    void set_clocks(const nlohmann::json& clocks, const nlohmann::json& reasons);
    /// Notes what the GPU's clocks did while a group was measured, by one process more.
    void add_group_clocks(const std::string& group, const nlohmann::json& clocks);
    /// That share; 0 where it is not known.
    double cpu_stolen() const;

    /// Writes the file; `complete` when nothing is left to measure. Throws std::system_error when it cannot.
    void save(bool complete);
    /// The file as it was last saved.
    const ResultFile& file() const { return file_; }
    /// True when an order was set that has rows, and every one of them is done.
    bool complete() const;

    const std::filesystem::path& path() const { return path_; }
    /// How many rows have this status.
    std::size_t count(Status status) const;

  private:
    std::filesystem::path path_;
    nlohmann::json context_;
    Standards standards_;
    std::map<std::string, Row> rows_;
    std::vector<std::string> order_;
    bool planned_ = false;
    ResultFile file_;
};

}  // namespace gridmark::harness
