// A report as one HTML file: the document and the program that displays it, in a page that contacts no server. Only the
// embedded script can run in it (Content-Security-Policy with its hash), and no part of the document is parsed as HTML.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "report/report_document.h"

namespace warpsim {

// `generation`: set for a page that queries its server for newer documents.
std::string report_page(const ReportDocument& document, std::optional<std::uint64_t> generation = std::nullopt);

// The document and its blobs as lines of base64, the document first: the response to a live page.
std::string document_lines(const ReportDocument& document);

// Text for HTML, in elements and in quoted attributes.
std::string html_text(std::string_view text);

}  // namespace warpsim
