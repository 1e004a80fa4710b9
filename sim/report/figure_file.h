// A figure as a file: drawn by gnuplot as SVG or PDF, with its runs in its metadata, or written as script and
// data. The same figure gives the same bytes; no file holds a date.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "report/figure.h"

namespace warpsim {

enum class FigureFormat : std::uint8_t { kSvg, kPdf, kScript };
// By the suffix of the file's name: .svg, .pdf, .gp; nothing for any other.
std::optional<FigureFormat> figure_format(const std::string& path);

// The whole script: terminal, output, style and plot, with the runs of the figure in comments. `output` and `data` are
// names of files in the script.
std::string figure_script(const Figure& figure, FigureFormat format, const std::string& output,
                          const std::string& data);
// The data as CSV, with a heading.
std::string figure_data(const Figure& figure);

// The content of the file (kSvg or kPdf). Throws UserError: gnuplot is not installed or reports an error.
std::string draw_figure(const Figure& figure, FigureFormat format, const std::string& title);

// Stores title and provenance as metadata: <title>, <desc> and <metadata> (JSON) of an SVG; the document
// information (Title, Subject, Creator, and Provenance as JSON) of a PDF, whose dates are removed.
std::string svg_with_metadata(const std::string& svg, const std::string& title, const Provenance& provenance);
std::string pdf_with_metadata(const std::string& pdf, const std::string& title, const Provenance& provenance);

}  // namespace warpsim
