// A figure as a file: drawn by gnuplot as SVG or PDF, with its runs in its metadata, or written as script and
// data. The same figure gives the same bytes; no file holds a date.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "report/figure.h"

namespace warpsim {

enum class FigureFormat : std::uint8_t { kSvg, kPdf, kScript };
// By the end of the file's name: .svg, .pdf, .gp; nothing for any other.
std::optional<FigureFormat> figure_format(const std::string& path);

// The whole script: terminal, output, style and plot, with the runs behind the figure in comments. `output` and `data`
// are names of files as the script sees them.
std::string figure_script(const Figure& figure, FigureFormat format, const std::string& output,
                          const std::string& data);
// The data as CSV, with a heading.
std::string figure_data(const Figure& figure);

// The content of the file (kSvg or kPdf). Throws UserError: gnuplot is not there, or says what is wrong.
std::string draw_figure(const Figure& figure, FigureFormat format, const std::string& title);

// Puts title and provenance where programs look for them: <title>, <desc> and <metadata> (JSON) of an SVG; the document
// information (Title, Subject, Creator, and Provenance as JSON) of a PDF, whose dates go.
std::string svg_with_metadata(const std::string& svg, const std::string& title, const Provenance& provenance);
std::string pdf_with_metadata(const std::string& pdf, const std::string& title, const Provenance& provenance);

}  // namespace warpsim
