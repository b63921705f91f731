#include "report/html.hpp"

#include <fmt/format.h>

#include <sstream>
#include <stdexcept>
#include <utility>

#include "output/plain_text.hpp"
#include "plot/base64.hpp"
#include "plot/style.hpp"
#include "report/html_sections.hpp"
#include "report/page_files.hpp"
#include "report/report.hpp"

namespace ropewalk::report {

using output::markup_text;

namespace html {
namespace {

const embedded_file& file_named(std::string_view name) {
  for (const embedded_file& file : page_files())
    if (file.name == name) return file;
  throw std::logic_error("no embedded file " + std::string(name));
}

/// Base64 of bytes in hexadecimal, as a Content-Security-Policy requires for a hash.
std::string base64_of_hex(std::string_view hex) {
  std::vector<unsigned char> bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes.push_back(static_cast<unsigned char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  return plot::base64(bytes);
}

/// The style sheets of the page and of the figures. Colours follow the reader's system, unless the page's
/// switch overrides it.
std::string style_of_page() {
  return std::string(file_named("page.css").text) + plot::css_classes() +
         plot::css_variables(":root", false) + "@media screen and (prefers-color-scheme: dark) { " +
         plot::css_variables(":root:not([data-theme=light])", true) + "}\n@media screen { " +
         plot::css_variables(":root[data-theme=dark]", true) + "}\n";
}

/// Everything before the body. The policy allows this page's own script and style, and inline images, but no
/// requests.
std::string head_of(const page& page) {
  const std::string title = markup_text(page.subject + ": ropewalk report");
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'sha256-{}'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n"
      "<link rel=\"icon\" href=\"data:,\">\n<style>{}</style>\n</head>\n",
      base64_of_hex(file_named("page.js").sha256), title, style_of_page());
}

void add_masthead(node to, const page& page) {
  const bool holds = verify::all_hold(page.judged);
  const verify::totals sum = verify::totals_of(page.judged);
  node masthead = add_classed(to, "header", "masthead");
  add_classed(masthead, "p", "kind", "ropewalk report");
  add(masthead, "h1", page.subject);
  if (!page.description.empty()) add_classed(masthead, "p", "description", page.description);
  const bool is_open = sum.failed == 0 && page.judged.ended.empty() && page.judged.failed_on.empty();
  node verdict = add_classed(masthead, "p",
                             holds     ? "verdict holds"
                             : is_open ? "verdict open"
                                       : "verdict fails");
  add(verdict, "strong",
      holds                        ? "Every law holds."
      : sum.failed > 0             ? fmt::format("{} of {} verdicts fail.", sum.failed, sum.lines)
      : !page.judged.ended.empty() ? "The process of a kernel ended, or did not answer."
                                   : "Not everything was judged.");
  add_text(verdict,
           fmt::format(" {}; {} cases.", words_of(sum), number_text(static_cast<double>(sum.cases))));
  add_classed(masthead, "p", "when", fmt::format("{} on {}", page.date, processor()));
}

void add_bar(node to) {
  node bar = add(to, "nav");
  set(bar, "aria-label", "sections");
  constexpr std::pair<const char*, const char*> links[] = {{"#summary", "Summary"},
                                                           {"#verdicts", "Verdicts"},
                                                           {"#measurements", "Measurements"},
                                                           {"#figures", "Figures"},
                                                           {"#origin", "Origin"}};
  for (const auto& [target, text] : links) set(add(bar, "a", text), "href", target);
}

}  // namespace
}  // namespace html

std::string as_html(const page& html_page) {
  page page = html_page;
  page.judged = with_plain_names(std::move(page.judged));
  pugi::xml_document document;
  html::node body = document.append_child("body");
  html::add_masthead(body, page);
  html::add_bar(body);
  html::node main = html::add(body, "main");
  html::add_summary(main, page);
  html::add_verdicts(main, page);
  html::add_measurements(main, page);
  html::add_figures(main, page);
  html::add_origin(main, page);
  std::ostringstream text;
  document.save(text, "",
                pugi::format_raw | pugi::format_no_declaration | pugi::format_no_empty_element_tags);
  constexpr std::string_view end = "</body>";
  std::string shown = text.str();
  shown.erase(shown.rfind(end));
  return html::head_of(page) + shown + "\n<script>" + std::string(html::file_named("page.js").text) +
         "</script>\n" + std::string(end) + "\n</html>\n";
}

}  // namespace ropewalk::report
