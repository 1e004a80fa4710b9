#include "report/figure_file.h"

#include <fmt/format.h>
#include <qpdf/qpdf-c.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/check.h"
#include "base/error.h"
#include "base/input_file.h"
#include "base/output_file.h"
#include "report/csv.h"
#include "report/gnuplot.h"
#include "warpsim_version.h"

namespace warpsim {

namespace {

class ScratchFolder {
 public:
  ScratchFolder() {
    path_ = (std::filesystem::temp_directory_path() / "warpsim_figure_XXXXXX").string();
    if (::mkdtemp(path_.data()) == nullptr) {
      throw UserError(path_ + ": no folder can be created for gnuplot's files");
    }
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::string& path() const { return path_; }
  std::string at(const char* name) const { return (std::filesystem::path(path_) / name).string(); }

 private:
  std::string path_;
};

// libqpdf through its C interface; its C++ headers are more than clang-tidy can read.
class PdfDocument {
 public:
  PdfDocument() : data_(qpdf_init()) {
    qpdf_silence_errors(data_);
    qpdf_set_suppress_warnings(data_, QPDF_TRUE);
  }
  ~PdfDocument() { qpdf_cleanup(&data_); }
  PdfDocument(const PdfDocument&) = delete;
  PdfDocument& operator=(const PdfDocument&) = delete;

  void read(const std::string& content) {
    qpdf_read_memory(data_, "gnuplot's output", content.data(), content.size(), nullptr);
    check();
  }

  // Replaces all old entries.
  void set_information(const std::vector<std::pair<const char*, std::string>>& entries) {
    const qpdf_oh information = qpdf_oh_new_dictionary(data_);
    for (const auto& [key, text] : entries) {
      qpdf_oh_replace_key(data_, information, key, qpdf_oh_new_unicode_string(data_, text.c_str()));
    }
    qpdf_oh_replace_key(data_, qpdf_get_trailer(data_), "/Info", qpdf_make_indirect_object(data_, information));
    check();
  }

  std::string written() {
    qpdf_init_write_memory(data_);
    qpdf_set_deterministic_ID(data_, QPDF_TRUE);
    qpdf_write(data_);
    check();
    return {reinterpret_cast<const char*>(qpdf_get_buffer(data_)), qpdf_get_buffer_length(data_)};
  }

 private:
  void check() {
    if (qpdf_has_error(data_) != QPDF_FALSE) {
      throw UserError(std::string("gnuplot's PDF cannot be changed: ") +
                      qpdf_get_error_full_text(data_, qpdf_get_error(data_)));
    }
  }

  qpdf_data data_;
};

// Text of 7 points and equal lines in both: a pixel of an SVG is 1/96 inch, and pdfcairo's point of text is also 1/96
// inch.
std::string terminal(const Figure& figure, FigureFormat format) {
  constexpr double kPixels = 96;
  if (format == FigureFormat::kSvg) {
    return fmt::format(
        "set terminal svg size {:.0f},{:.0f} fixed font 'Liberation Sans,9.33' "
        "rounded linewidth 1.2 noenhanced background 'white'\nset key spacing 0.8\n",
        figure.width * kPixels, figure.height * kPixels);
  }
  return fmt::format(
      "set terminal pdfcairo size {:.4g}in,{:.4g}in font 'Liberation Sans,7' fontscale 0.75 rounded linewidth 1.6 "
      "noenhanced\nset key "
      "spacing 1.05\n",
      figure.width, figure.height);
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
  return text;
}

std::string xml_escaped(std::string text) {
  text = replaced(std::move(text), "&", "&amp;");
  text = replaced(std::move(text), "<", "&lt;");
  return replaced(std::move(text), ">", "&gt;");
}

std::string joined(const std::vector<std::string>& lines) {
  return fmt::format("{}", fmt::join(lines, "; "));
}

std::string json_of(const Provenance& provenance) {
  return provenance_json(provenance).dump();
}

// Replaces the content of an element that gnuplot writes.
void replace_element(std::string& svg, const std::string& name, const std::string& content) {
  const std::size_t begin = svg.find("<" + name + ">");
  const std::size_t end = svg.find("</" + name + ">");
  SIM_CHECK(begin != std::string::npos && end != std::string::npos && begin < end, "gnuplot's SVG has no " + name);
  svg.replace(begin, end - begin, "<" + name + ">" + content);
}

}  // namespace

std::optional<FigureFormat> figure_format(const std::string& path) {
  const std::string suffix = std::filesystem::path(path).extension().string();
  if (suffix == ".svg") {
    return FigureFormat::kSvg;
  }
  if (suffix == ".pdf") {
    return FigureFormat::kPdf;
  }
  if (suffix == ".gp") {
    return FigureFormat::kScript;
  }
  return std::nullopt;
}

std::string figure_script(const Figure& figure, FigureFormat format, const std::string& output,
                          const std::string& data) {
  std::string text;
  for (const std::string& line : provenance_lines(figure.provenance)) {
    text += "# " + replaced(line, "\n", " ") + "\n";
  }
  for (const std::string& remark : figure.remarks) {
    text += "# " + remark + "\n";
  }
  // In single quotes a quote is doubled.
  const auto name = [](const std::string& file) { return replaced(file, "'", "''"); };
  return text + terminal(figure, format) + "set output '" + name(output) + "'\n" +
         replaced(figure.script, kFigureData, name(data)) + "set output\n";
}

std::string figure_data(const Figure& figure) {
  std::string text;
  const auto add_row = [&text](const auto& cells, const auto& text_of_cell) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      text += (i == 0 ? "" : ",") + csv_field(text_of_cell(cells[i]));
    }
    text += '\n';
  };
  add_row(figure.data.columns, [](const std::string& name) { return name; });
  for (const auto& row : figure.data.rows) {
    add_row(row, [](const Cell& cell) { return text_of(cell); });
  }
  return text;
}

std::string draw_figure(const Figure& figure, FigureFormat format, const std::string& title) {
  SIM_CHECK(format != FigureFormat::kScript, "a script is not drawn");
  const ScratchFolder folder;
  write_output_file(folder.at("data.csv"), figure_data(figure));
  write_output_file(folder.at("figure.gp"), figure_script(figure, format, "figure", "data.csv"));
  if (run_gnuplot(folder.path(), "figure.gp").find("too small to hold plot") != std::string::npos) {
    throw UserError(
        fmt::format("a figure of {:.4g} x {:.4g} inches is too small for its labels; give --width or --height",
                    figure.width, figure.height));
  }
  const std::string drawn = require_input(folder.at("figure"), "what gnuplot draws");
  return format == FigureFormat::kSvg ? svg_with_metadata(drawn, title, figure.provenance)
                                      : pdf_with_metadata(drawn, title, figure.provenance);
}

std::string svg_with_metadata(const std::string& svg, const std::string& title, const Provenance& provenance) {
  // A viewer may use other fonts of the same metrics.
  std::string result =
      replaced(svg, "font-family=\"Liberation Sans\"", "font-family=\"Liberation Sans, Helvetica, Arial, sans-serif\"");
  replace_element(result, "title", xml_escaped(title));
  replace_element(result, "desc", xml_escaped(joined(provenance_lines(provenance))));
  const std::string metadata = "\n<metadata>" + xml_escaped(json_of(provenance)) + "</metadata>";
  const std::string behind = "</desc>";
  result.insert(result.find(behind) + behind.size(), metadata);
  return result;
}

std::string pdf_with_metadata(const std::string& pdf, const std::string& title, const Provenance& provenance) {
  PdfDocument document;
  document.read(pdf);
  document.set_information({{"/Title", title},
                            {"/Subject", joined(provenance_lines(provenance))},
                            {"/Creator", std::string("warpsim ") + kVersion},
                            {"/Provenance", json_of(provenance)}});
  return document.written();
}

}  // namespace warpsim
