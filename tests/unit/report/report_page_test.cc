#include "report/report_page.h"

#include <catch2/catch.hpp>

#include "report/report_blob.h"
#include "report/report_bundle.h"
#include "support/report_database.h"
#include "support/temporary_folder.h"

using namespace warpsim;

namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t times = 0;
  for (std::size_t place = text.find(part); place != std::string::npos; place = text.find(part, place + 1)) {
    ++times;
  }
  return times;
}

ReportDocument hostile_document() {
  ReportDocument document;
  document.json["title"] = "</title><script>alert(1)</script> & \"q\" 'a'";
  document.json["note"] = "</script><script>alert(2)</script><!--";
  document.blobs = {deflated("</script>")};
  return document;
}

TEST_CASE("text is escaped in HTML") {
  CHECK(html_text("a<b> & \"c\" 'd'") == "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
}

TEST_CASE("no text in a document can end its element") {
  const std::string page = report_page(hostile_document());
  CHECK(count(page, "alert(") == 1);  // in the title, as text
  CHECK(page.find("&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;q&quot;") != std::string::npos);
  CHECK(count(page, "</script") == 2);
  CHECK(count(page, "<script") == 2);
  CHECK(count(page, "</style") == 1);
}

TEST_CASE("a page allows only its own script, and sends no requests") {
  const std::string page = report_page(hostile_document());
  CHECK(page.find("default-src 'none'; script-src 'sha256-") != std::string::npos);
  CHECK(page.find("connect-src 'none'") != std::string::npos);
  CHECK(page.find("data-generation") == std::string::npos);
  for (const char* outside : {"<link rel=\"stylesheet", "<script src", "<img", "@import", "url(http"}) {
    CHECK(page.find(outside) == std::string::npos);
  }
  const std::string live = report_page(hostile_document(), 7);
  CHECK(live.find("<html lang=\"en\" data-generation=\"7\">") != std::string::npos);
  CHECK(live.find("connect-src 'self'") != std::string::npos);
}

TEST_CASE("the program contains the complete script of the page") {
  const std::string folder = std::string(WARPSIM_SOURCE_DIR) + "/web/bundle/";
  CHECK(bundle_script() == TemporaryFolder::read(folder + "report.js"));
  CHECK(bundle_style() == TemporaryFolder::read(folder + "report.css"));
  CHECK(bundle_script_hash() == TemporaryFolder::read(folder + "report.js.hash"));
  CHECK(bundle_script().find("</script") == std::string_view::npos);
  // A browser would make them line feeds, and change the hash.
  CHECK(bundle_script().find('\r') == std::string_view::npos);
}

TEST_CASE("the document is the first line, then the blobs") {
  const ReportDocument document = hostile_document();
  const std::string lines = document_lines(document);
  CHECK(count(lines, "\n") == 2);
  CHECK(lines == base64(deflated(json_text(document.json))) + "\n" + base64(document.blobs[0]) + "\n");
}

}  // namespace
