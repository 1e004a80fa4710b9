#include "app/plot_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <ostream>

#include "app/exit_codes.h"
#include "report/output_file.h"
#include "stats/database.h"
#include "stats/schema.h"

namespace warpsim {

namespace {

std::string beside(const std::string& path, const char* suffix) {
  return std::filesystem::path(path).replace_extension(suffix).string();
}

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

// The script names its files without folders: it is to be run where they lie.
void write_script(const Figure& figure, const PlotOptions& options, std::ostream& out) {
  const std::string script = beside(options.out, ".gp");
  const std::string data = beside(options.out, ".csv");
  const FigureFormat drawn = options.format == FigureFormat::kSvg ? FigureFormat::kSvg : FigureFormat::kPdf;
  const std::string output = file_name(beside(options.out, drawn == FigureFormat::kSvg ? ".svg" : ".pdf"));
  write_output_file(data, figure_data(figure));
  write_output_file(script, figure_script(figure, drawn, output, file_name(data)));
  out << fmt::format("wrote {} and {}\n", script, data);
}

}  // namespace

int plot_command(const PlotOptions& options, std::ostream& out) {
  const Database database(options.database, Database::Mode::kReadOnly);
  check_schema(database);
  const Figure figure = make_figure(database, options.request);
  const std::string title = options.request.title.empty()
                                ? figure.provenance.content + " of " + figure.provenance.database
                                : options.request.title;
  if (options.format != FigureFormat::kScript) {
    write_output_file(options.out, draw_figure(figure, options.format, title));
    out << fmt::format("wrote {}: {} rows, {} runs\n", options.out, figure.data.rows.size(),
                       figure.provenance.runs.size());
  }
  if (options.keep || options.format == FigureFormat::kScript) {
    write_script(figure, options, out);
  }
  for (const std::string& remark : figure.remarks) {
    out << "  " << remark << "\n";
  }
  return kExitDone;
}

}  // namespace warpsim
