#include <fmt/format.h>

#include <iterator>
#include <set>
#include <string_view>

#include "harness/export/export.hpp"

/// A line a sample, in long form, quoted as RFC 4180 says. Lines end in "\n" alone.
namespace gridmark::harness {
namespace {

std::string csv_field(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
    std::string result = "\"";
    for (const char c : text)
        result.append(c == '"' ? 2 : 1, c);
    return result + '"';
}

std::string value_text(const Value& value) {
    return std::visit([](const auto& held) { return fmt::format("{}", held); }, value);
}

std::set<std::string> parameter_names(const ResultSet& set) {
    std::set<std::string> names;
    for (const auto& [experiment, file] : set.files)
        for (const Row& row : file.rows)
            for (const auto& [key, value] : row.parameters)
                names.insert(key);
    return names;
}

/// Writes the lines of one row.
class RowLines {
  public:
    RowLines(const std::string& machine, const std::set<std::string>& parameters, const Row& row) {
        before_ = csv_field(machine);
        for (const std::string& field :
             {row.experiment, row.variant, row.name, row.quantity, row.unit, row.clock})
            before_ += ',' + csv_field(field);
        after_ = fmt::format(",{},{}", to_string(row.status), csv_field(row.reason));
        for (const std::string& key : parameters) {
            const auto found = row.parameters.find(key);
            after_ += ',' + (found == row.parameters.end() ? "" : csv_field(value_text(found->second)));
        }
        after_ += '\n';
    }

    void add(std::string& text, const std::string& place_and_value) const {
        text += before_ + place_and_value + after_;
    }

  private:
    std::string before_, after_;
};

void add_lines(std::string& text, const RowLines& lines, const Row& row) {
    if (row.samples.empty()) {
        lines.add(text, row.median ? fmt::format(",,,{}", *row.median) : ",,,");
        return;
    }
    std::size_t next = 0, process = 0;
    for (const std::size_t count : row.samples_by_process()) {
        for (std::size_t sample = 0; sample < count; ++sample)
            lines.add(text, fmt::format(",{},{},{}", process, sample, row.samples[next++]));
        ++process;
    }
}

}  // namespace

Exported to_csv(const ResultSet& set) {
    Exported csv;
    const auto parameters = parameter_names(set);
    std::string rows;
    for (const auto& [experiment, file] : set.files)
        for (const Row& row : file.rows)
            add_lines(rows, RowLines(set.machine, parameters, row), row);
    if (rows.empty()) return csv;
    csv.text = "machine,experiment,variant,name,quantity,unit,clock,process,sample,value,status,reason";
    for (const std::string& key : parameters)
        csv.text += ',' + csv_field("parameter_" + key);
    csv.text += '\n' + rows;
    return csv;
}

}  // namespace gridmark::harness
