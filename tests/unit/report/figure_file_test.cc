#include "report/figure_file.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <qpdf/QPDF.hh>

#include "base/error.h"
#include "report/csv.h"
#include "report/gnuplot.h"
#include "support/results_example.h"
#include "support/temporary_folder.h"

namespace warpsim {
namespace {

// A figure of six launches with difficult names and numbers.
class Drawing {
 public:
  Drawing() {
    std::vector<ExampleLaunch> simulated;
    std::vector<ExampleLaunch> hardware;
    for (const double cycles : {1000.0, 2000.0, 4000.0, 8000.0, 1e9 / 3, 123456.789}) {
      simulated.push_back({"k<a, \"b\">", {{"gpc__cycles_elapsed.max", cycles * 1.1}}, {}});
      hardware.push_back({"k<a, \"b\">", {{"gpc__cycles_elapsed.max", cycles}}, {}});
    }
    write_example_results(folder_.at("r.db"), {{"it's <a> & b", "GPU", "simulated", "t", "aa", "c0ffee", {}, simulated},
                                               {"it's <a> & b", "GPU", "hardware", "", "", "", {}, hardware}});
    const Database database(folder_.at("r.db"), Database::Mode::kReadOnly);
    figure_ = make_figure(database, {});
  }
  const Figure& figure() const { return figure_; }

 private:
  TemporaryFolder folder_;
  Figure figure_;
};

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at) {
    ++found;
  }
  return found;
}

TEST_CASE("figure files: an SVG has every point, a title and its origin, and no date") {
  const Drawing drawing;
  const std::string svg = draw_figure(drawing.figure(), FigureFormat::kSvg, "a < b");
  // One point each, and one in the key.
  CHECK(count(svg, "<use xlink:href='#gpPt6'") == 6 + 1);
  CHECK(svg.find("<title>a &lt; b</title>") != std::string::npos);
  CHECK(svg.find("run it's &lt;a&gt; &amp; b: GPU, simulated, complete, config c0ffee") != std::string::npos);
  CHECK(svg.find("width=\"336\"") != std::string::npos);
  const std::size_t begin = svg.find("<metadata>") + std::string("<metadata>").size();
  std::string json = svg.substr(begin, svg.find("</metadata>") - begin);
  for (const auto& [entity, character] : {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}}) {
    for (std::size_t at = 0; (at = json.find(entity, at)) != std::string::npos;) {
      json.replace(at, std::string(entity).size(), character);
    }
  }
  CHECK(nlohmann::json::parse(json)["runs"][0]["config_hash"] == "c0ffee");
  CHECK(svg == draw_figure(drawing.figure(), FigureFormat::kSvg, "a < b"));
}

TEST_CASE("figure files: a PDF has its size, document information and no date") {
  const Drawing drawing;
  const std::string pdf = draw_figure(drawing.figure(), FigureFormat::kPdf, "Zyklen ± 20 %");
  CHECK(pdf == draw_figure(drawing.figure(), FigureFormat::kPdf, "Zyklen ± 20 %"));
  QPDF document;
  document.processMemoryFile("figure", pdf.data(), pdf.size());
  std::vector<QPDFObjectHandle> pages = document.getAllPages();
  REQUIRE(pages.size() == 1);
  std::vector<QPDFObjectHandle> box = pages[0].getKey("/MediaBox").getArrayAsVector();
  CHECK(box[2].getNumericValue() == Approx(3.5 * 72).margin(1));
  QPDFObjectHandle information = document.getTrailer().getKey("/Info");
  CHECK(information.getKey("/Title").getUTF8Value() == "Zyklen ± 20 %");
  CHECK(information.getKey("/Subject").getUTF8Value().find("config c0ffee") != std::string::npos);
  CHECK(information.getKey("/Creator").getUTF8Value().starts_with("warpsim "));
  CHECK_FALSE(information.hasKey("/CreationDate"));
  const auto json = nlohmann::json::parse(information.getKey("/Provenance").getUTF8Value());
  CHECK(json["runs"][0]["run"] == "it's <a> & b");
  CHECK(json["runs"][0]["version"] == "0.1.0");
  CHECK_THROWS_WITH(pdf_with_metadata("no PDF", "t", {}), Catch::StartsWith("gnuplot's PDF cannot be changed: "));
}

TEST_CASE("figure files: a figure that is too small for its labels is an error") {
  const Drawing drawing;
  Figure figure = drawing.figure();
  figure.width = 1;
  figure.script = "set ylabel 'two' offset -20\nset lmargin 40\nplot x\n";
  CHECK_THROWS_WITH(draw_figure(figure, FigureFormat::kSvg, "t"),
                    Catch::StartsWith("a figure of 1 x ") && Catch::Contains("too small for its labels"));
}

TEST_CASE("figure files: data and script can be edited by authors") {
  const Drawing drawing;
  const std::vector<CsvRow> rows = parse_csv(figure_data(drawing.figure()), "d.csv");
  REQUIRE(rows.size() == 7);
  CHECK(rows[0].fields[5] == "hardware");
  CHECK(std::stod(rows[5].fields[5]) == 1e9 / 3);
  const std::string script = figure_script(drawing.figure(), FigureFormat::kSvg, "fig.svg", "fig.csv");
  CHECK(script.starts_with("# warpsim "));
  CHECK(script.find("\n# run it's <a> & b: GPU, simulated, complete, config c0ffee") != std::string::npos);
  CHECK(script.find("set output 'fig.svg'\n") != std::string::npos);
  CHECK(script.find("'fig.csv' using") != std::string::npos);
  CHECK(script.find(kFigureData) == std::string::npos);
  CHECK(figure_format("a.svg") == FigureFormat::kSvg);
  CHECK(figure_format("a.pdf") == FigureFormat::kPdf);
  CHECK(figure_format("a.gp") == FigureFormat::kScript);
  CHECK_FALSE(figure_format("a.png"));
}

TEST_CASE("gnuplot: errors are reported") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH(run_gnuplot(folder.at("."), "x.gp", "no-such-gnuplot"),
                    "no-such-gnuplot: No such file or directory; gnuplot draws the figures (Debian: gnuplot-nox); -o "
                    "FILE.gp writes the script only");
  folder.write("x.gp", "plot nonsense\n");
  CHECK_THROWS_WITH(run_gnuplot(folder.at("."), "x.gp"), Catch::StartsWith("gnuplot could not draw the figure: ") &&
                                                             Catch::Contains("undefined variable: nonsense"));
}

}  // namespace
}  // namespace warpsim
