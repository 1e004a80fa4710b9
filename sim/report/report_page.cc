#include "report/report_page.h"

#include "report/report_blob.h"
#include "report/report_bundle.h"

namespace warpsim {

std::string html_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string document_lines(const ReportDocument& document) {
  std::string lines = base64(deflated(json_text(document.json))) + "\n";
  for (const std::string& blob : document.blobs) {
    lines += base64(blob) + "\n";
  }
  return lines;
}

std::string report_page(const ReportDocument& document, std::optional<std::uint64_t> generation) {
  const std::string title = html_text(document.json["title"].get<std::string>());
  std::string page = "<!DOCTYPE html>\n<html lang=\"en\"";
  page += generation ? " data-generation=\"" + std::to_string(*generation) + "\">\n" : ">\n";
  page +=
      "<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ";
  page +=
      "script-src '" + std::string(bundle_script_hash()) + "'; style-src 'unsafe-inline'; img-src data:; connect-src ";
  page += generation ? "'self'" : "'none'";
  page += "; base-uri 'none'; form-action 'none'\">\n";
  page +=
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<link rel=\"icon\" href=\"data:,\">\n";
  page += "<title>" + title + "</title>\n<style>\n" + std::string(bundle_style()) + "</style>\n</head>\n<body>\n";
  page +=
      "<noscript><p>This report needs JavaScript. Its numbers can also be read from the results database with "
      "sqlite3.</p>"
      "</noscript>\n<div id=\"report\"><p>Loading ...</p></div>\n";
  // A data block: browsers do not execute it, and base64 contains no character that could end it.
  page += "<script type=\"text/plain\" id=\"document\">\n" + document_lines(document) + "</script>\n";
  page += "<script>" + std::string(bundle_script()) + "</script>\n</body>\n</html>\n";
  return page;
}

}  // namespace warpsim
