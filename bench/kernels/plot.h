// A plot of curves on logarithmic axes, as SVG.
#pragma once

#include <string>
#include <vector>

namespace tropic::bench {

struct Curve {
    std::string name;
    std::vector<double> x;
    std::vector<double> y;
};

/// The exponent with which y grows with x: the slope of a straight line through the logarithms.
double growth(const Curve& curve);

std::string log_log_plot(const std::vector<Curve>& curves, const std::string& title,
                         const std::string& x_name, const std::string& y_name);

} // namespace tropic::bench
