#include "plot.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace tropic::bench {

namespace {

constexpr double width = 880;
constexpr double height = 500;
constexpr double left = 70;
constexpr double right = 310; // with the names of the curves
constexpr double top = 60;
constexpr double bottom = 55;
constexpr std::array<const char*, 6> colours = {"#1b6ca8", "#c0392b", "#2e8b57",
                                                "#b8860b", "#6a3d9a", "#444444"};

struct Range {
    int low = 0; ///< powers of ten
    int high = 1;
};

Range range_of(const std::vector<Curve>& curves, std::vector<double> Curve::* values) {
    double low = INFINITY;
    double high = -INFINITY;
    for (const Curve& curve : curves) {
        for (const double value : curve.*values) {
            low = std::min(low, std::log10(value));
            high = std::max(high, std::log10(value));
        }
    }
    const auto first = static_cast<int>(std::floor(low));
    return {first, std::max(static_cast<int>(std::ceil(high)), first + 1)};
}

double place(double value, const Range& range, double from, double to) {
    return from + (std::log10(value) - range.low) / (range.high - range.low) * (to - from);
}

} // namespace

double growth(const Curve& curve) {
    const auto count = static_cast<double>(curve.x.size());
    double sx = 0;
    double sy = 0;
    double sxx = 0;
    double sxy = 0;
    for (std::size_t k = 0; k < curve.x.size(); ++k) {
        const double x = std::log(curve.x[k]);
        const double y = std::log(curve.y[k]);
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

std::string log_log_plot(const std::vector<Curve>& curves, const std::string& title,
                         const std::string& x_name, const std::string& y_name) {
    const Range xs = range_of(curves, &Curve::x);
    const Range ys = range_of(curves, &Curve::y);
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
        "{1}\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" "
        "fill=\"white\"/>\n<text x=\"{2}\" y=\"22\" font-size=\"15\">{3}</text>\n",
        width, height, left, title);
    const auto grid_line = [&](double x1, double y1, double x2, double y2) {
        svg += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" "
                           "stroke=\"#dddddd\"/>\n",
                           x1, y1, x2, y2);
    };
    const auto label = [&](double x, double y, const char* anchor, const std::string& text) {
        svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y,
                           anchor, text);
    };
    for (int power = xs.low; power <= xs.high; ++power) {
        const double x = place(std::pow(10, power), xs, left, width - right);
        grid_line(x, top, x, height - bottom);
        label(x, height - bottom + 18, "middle", fmt::format("1e{}", power));
    }
    for (int power = ys.low; power <= ys.high; ++power) {
        const double y = place(std::pow(10, power), ys, height - bottom, top);
        grid_line(left, y, width - right, y);
        label(left - 8, y + 4, "end", fmt::format("1e{}", power));
    }
    label((left + width - right) / 2, height - 12, "middle", x_name);
    label(left - 40, top - 14, "start", y_name);
    const auto legend = [&](std::size_t number, const std::string& mark, const std::string& text) {
        const double y = top + 14 + 20 * static_cast<double>(number);
        svg += fmt::format("<line x1=\"{0:.1f}\" y1=\"{2:.1f}\" x2=\"{1:.1f}\" y2=\"{2:.1f}\" "
                           "{3}/>\n",
                           width - right + 14, width - right + 32, y - 4, mark);
        label(width - right + 40, y, "start", text);
    };
    for (std::size_t c = 0; c < curves.size(); ++c) {
        const char* colour = colours[c % colours.size()];
        std::string points;
        for (std::size_t k = 0; k < curves[c].x.size(); ++k) {
            points += fmt::format("{:.1f},{:.1f} ", place(curves[c].x[k], xs, left, width - right),
                                  place(curves[c].y[k], ys, height - bottom, top));
        }
        const std::string mark = fmt::format("stroke=\"{}\" stroke-width=\"2\"", colour);
        svg += fmt::format("<polyline points=\"{}\" fill=\"none\" {}/>\n", points, mark);
        legend(c, mark, fmt::format("{} (grows as x^{:.2f})", curves[c].name, growth(curves[c])));
    }
    // What grows in proportion, across the whole plot from its lower left corner.
    const double decades = std::min(xs.high - xs.low, ys.high - ys.low);
    const std::string mark = "stroke=\"#888888\" stroke-dasharray=\"4 4\"";
    svg +=
        fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", left,
                    height - bottom, place(std::pow(10, xs.low + decades), xs, left, width - right),
                    place(std::pow(10, ys.low + decades), ys, height - bottom, top), mark);
    legend(curves.size(), mark, "in proportion to x");
    return svg + "</svg>\n";
}

} // namespace tropic::bench
