#include "app/commands/plot_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <ostream>

#include "app/commands/command_files.h"
#include "app/exit_codes.h"
#include "base/output_file.h"
#include "stats/database.h"
#include "stats/schema.h"

namespace warpsim {

namespace {

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

// The script names its files without folders: it must be run in their folder.
void add_script(const Figure& figure, const PlotOptions& options, std::vector<OutputContent>& files) {
  const std::string script = beside(options.out, ".gp");
  const std::string data = beside(options.out, ".csv");
  const FigureFormat drawn = options.format == FigureFormat::kSvg ? FigureFormat::kSvg : FigureFormat::kPdf;
  const std::string output = file_name(beside(options.out, drawn == FigureFormat::kSvg ? ".svg" : ".pdf"));
  files.push_back({script, figure_script(figure, drawn, output, file_name(data))});
  files.push_back({data, figure_data(figure)});
}

}  // namespace

int plot_command(const PlotOptions& options, std::ostream& out) {
  check_files(options);
  const Database database(options.database, Database::Mode::kReadOnly);
  check_schema(database);
  const Figure figure = make_figure(database, options.request);
  const std::string title = options.request.title.empty()
                                ? figure.provenance.content + " of " + figure.provenance.database
                                : options.request.title;
  std::vector<OutputContent> files;
  std::string said;
  if (options.format != FigureFormat::kScript) {
    files.push_back({options.out, draw_figure(figure, options.format, title)});
    said = fmt::format("wrote {}: {} rows, {} runs\n", options.out, figure.data.rows.size(),
                       figure.provenance.runs.size());
  }
  if (options.keep || options.format == FigureFormat::kScript) {
    add_script(figure, options, files);
    said += fmt::format("wrote {} and {}\n", beside(options.out, ".gp"), beside(options.out, ".csv"));
  }
  write_output_files(files);
  out << said;
  for (const std::string& remark : figure.remarks) {
    out << "  " << remark << "\n";
  }
  return kExitDone;
}

}  // namespace warpsim
