#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/axes.hpp"
#include "harness/experiment.hpp"

/// What a preset measures, as data: groups by products of axes. The study's points() makes every point, as
/// for `run --axis`.
namespace gridmark::harness {

/// Some points of a group: each version that fits, at each combination of the axes' values. The version is
/// the outer loop. The key "tile block" with the value "32x16 32x8" sets two.
struct Members {
    nlohmann::json versions = nullptr;  ///< by fits(): {{"kind", "cpu"}}; null: all
    std::vector<Axis> axes = {};
    std::vector<Series> series = {};  ///< empty: those of points()
    /// The series of each point, where they differ; null: as above.
    std::vector<Series> (*series_of)(const Point& point) = nullptr;
    /// Whether a version is measured at these values; null: wherever it can.
    bool (*keeps)(const std::string& variant, const AxisValues& values) = nullptr;
    bool yields = false;  ///< where these do not fit beside the group's others, those are measured without
};

/// A group. In its name "{nx}" stands for the value of nx.
struct GroupOf {
    std::string name;
    std::vector<Members> members;
    Preset from = Preset::quick;
    AxisValues values = {};  ///< that all its points have besides
    /// Adds other frameworks' versions where the study has them beside these values; null: nowhere.
    void (*add_peers)(Group& group, const PlanContext& context, const AxisValues& values) = nullptr;
    bool peers_alone = false;  ///< there is no such group where nobody asks for peers
};

/// Groups for each combination of the values of `each`; its key "variant" leaves one version to a group.
struct Product {
    std::vector<Axis> each;
    std::vector<GroupOf> groups;
    Preset from = Preset::quick, until = Preset::full;
};

/// The axis of the versions that fit, as a product's `each` may have it.
Axis versions_axis(const Experiment& experiment, const nlohmann::json& versions);

/// Adds what the context's preset has of these products. A combination that a version cannot do is left out,
/// and so is a group without points. A point takes what it takes alone, and what the group's others have of
/// their own.
void add_products(Plan& plan, const Experiment& experiment, const PlanContext& context,
                  const std::vector<Product>& products);

}  // namespace gridmark::harness
