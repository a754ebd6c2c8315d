// How PrintTensor writes a tensor.
#pragma once

namespace poplar {

class PrintTensorFmt {
  public:
    enum class FloatFormat { Auto, Fixed, Scientific, None };

    PrintTensorFmt(unsigned summariseThreshold = 1000, unsigned edgeItems = 3,
                   unsigned maxLineWidth = 75, unsigned digits = 4,
                   FloatFormat floatFormat = FloatFormat::Auto, char separator = ',',
                   char openBracket = '[', char closeBracket = ']')
        : summariseThreshold(summariseThreshold), edgeItems(edgeItems), maxLineWidth(maxLineWidth),
          digits(digits), floatFormat(floatFormat), separator(separator), openBracket(openBracket),
          closeBracket(closeBracket) {}

    unsigned summariseThreshold;
    unsigned edgeItems;
    unsigned maxLineWidth;
    unsigned digits;
    FloatFormat floatFormat;
    char separator;
    char openBracket;
    char closeBracket;
};

} // namespace poplar
