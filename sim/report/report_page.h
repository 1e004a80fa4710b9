// A report as one HTML file: the document and what shows it, in a page that contacts no server. Scripts other
// than ours cannot run in it (Content-Security-Policy with the hash of ours), and nothing of the document is read as
// HTML.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "report/report_document.h"

namespace warpsim {

// `generation`: set for a page that is to ask its server for newer documents.
std::string report_page(const ReportDocument& document, std::optional<std::uint64_t> generation = std::nullopt);

// The document and its blobs as lines of base64, the document first: what a live page asks for.
std::string document_lines(const ReportDocument& document);

// Text for HTML, in elements and in quoted attributes.
std::string html_text(std::string_view text);

}  // namespace warpsim
