"use strict";
// Sorting, filtering, hints and the colour switch. Without this script the page still shows all its content.

// Sorts a table by the pressed column heading: numbers by value, others as text.
const compare_text = new Intl.Collator("en", {numeric: true}).compare;

function cell_value(row, column) {
  const cell = row.cells[column];
  return cell.dataset.value === undefined ? null : Number(cell.dataset.value);
}

function sort_rows(table, column, is_ascending, is_number) {
  const direction = is_ascending ? 1 : -1;
  const rows = Array.from(table.tBodies[0].rows);
  rows.sort((a, b) => {
    if (!is_number) return direction * compare_text(a.cells[column].textContent, b.cells[column].textContent);
    const left = cell_value(a, column), right = cell_value(b, column);
    if (left === null || right === null) return (left === null) - (right === null);  // no number: last
    return left === right ? 0 : left < right ? -direction : direction;
  });
  table.tBodies[0].append(...rows);
}

function make_sortable(table) {
  const headings = Array.from(table.tHead.rows[0].cells);
  headings.forEach((heading, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    heading.setAttribute("aria-sort", "none");
    button.addEventListener("click", () => {
      const is_ascending = heading.getAttribute("aria-sort") !== "ascending";
      for (const other of headings) other.setAttribute("aria-sort", "none");
      heading.setAttribute("aria-sort", is_ascending ? "ascending" : "descending");
      sort_rows(table, column, is_ascending, heading.classList.contains("number"));
    });
  });
}

// Filters table rows, failures and figure lines by kernel and dtype. The address keeps the hidden ones:
// #kernel=a,b&dtype=f16.
const filtered_by = ["kernel", "dtype"];
const left_out = {kernel: new Set(), dtype: new Set()};

function values_of(name) {
  const all = new Set();
  for (const one of document.querySelectorAll(`[data-${name}]`)) all.add(one.getAttribute(`data-${name}`));
  all.delete("-");
  return Array.from(all);
}

function apply_filters() {
  for (const one of document.querySelectorAll("[data-kernel], [data-dtype]")) {
    const is_out = filtered_by.some((name) => left_out[name].has(one.getAttribute(`data-${name}`)));
    one.classList.toggle("filtered-out", is_out);
  }
  for (const box of document.querySelectorAll(".filters input")) box.checked = !left_out[box.name].has(box.value);
}

function write_address() {
  const parts = [];
  for (const name of filtered_by)
    if (left_out[name].size > 0)
      parts.push(`${name}=${Array.from(left_out[name], encodeURIComponent).join(",")}`);
  history.replaceState(null, "", parts.length > 0 ? `#${parts.join("&")}` : location.pathname + location.search);
}

function read_address() {
  const text = location.hash.slice(1);
  if (!text.includes("=")) return;  // a place in the page
  for (const name of filtered_by) left_out[name].clear();
  for (const part of text.split("&")) {
    const [name, values] = part.split("=");
    if (!filtered_by.includes(name) || !values) continue;
    for (const value of values.split(",")) left_out[name].add(decoded(value));
  }
}

function filter_group(name) {
  const group = document.createElement("fieldset"), legend = document.createElement("legend");
  legend.textContent = name;
  group.append(legend);
  for (const value of values_of(name)) {
    const label = document.createElement("label"), box = document.createElement("input");
    box.type = "checkbox";
    box.name = name;
    box.value = value;
    box.checked = true;
    box.addEventListener("change", () => {
      if (box.checked) left_out[name].delete(value);
      else left_out[name].add(value);
      apply_filters();
      write_address();
    });
    label.append(box, value);
    group.append(label);
  }
  return group;
}

function add_filters() {
  const filters = document.createElement("div");
  filters.className = "filters";
  filters.setAttribute("role", "group");
  filters.setAttribute("aria-label", "filters");
  const shown = filtered_by.filter((name) => values_of(name).length > 1);
  if (shown.length === 0) return;
  for (const name of shown) filters.append(filter_group(name));
  const all = document.createElement("button");
  all.type = "button";
  all.textContent = "Show all";
  all.addEventListener("click", () => {
    for (const name of filtered_by) left_out[name].clear();
    apply_filters();
    write_address();
  });
  const note = document.createElement("p");
  note.textContent = "Shows these in every table and figure. ";
  note.append(all);
  filters.append(note);
  document.getElementById("measurements").querySelector("h2").after(filters);
}

// Shows the hint of the nearest point of a drawing, or of its line. Hints are <title> elements, which browsers
// show late and not on touch.
const reach = 14;  // pixels around the pointer
const tip = document.createElement("div");
tip.className = "tip";
tip.hidden = true;

function take_hints(drawing) {
  const hints = [];
  for (const title of drawing.querySelectorAll("title")) {
    const of = title.parentNode;
    hints.push({of, text: title.textContent, is_line: of.hasAttribute("data-series")});
    title.remove();
  }
  return hints;
}

function place_of(hint) {
  const box = hint.of.getBoundingClientRect();
  return {x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2};
}

function nearest(hints, x, y) {
  let best = null, distance = reach;
  for (const hint of hints) {
    if (hint.is_line || hint.of.closest(".filtered-out") !== null) continue;
    const place = place_of(hint), away = Math.hypot(x - place.x, y - place.y);
    if (away < distance) [best, distance] = [hint, away];
  }
  return best;
}

function place_tip(x, y) {
  const box = tip.getBoundingClientRect(), gap = 12;
  const left = Math.min(x + gap, window.innerWidth - box.width - gap);
  const top = y + gap + box.height > window.innerHeight ? y - gap - box.height : y + gap;
  tip.style.left = `${Math.max(left, gap / 2)}px`;
  tip.style.top = `${Math.max(top, gap / 2)}px`;
}

function show_hints(drawing) {
  const hints = take_hints(drawing);
  if (hints.length === 0) return;
  const show = (event) => {
    const line = event.target.closest("[data-series]");
    const found = nearest(hints, event.clientX, event.clientY) ??
      hints.find((hint) => hint.is_line && hint.of === line);
    tip.hidden = !found;
    if (!found) return;
    tip.textContent = found.text;
    place_tip(event.clientX, event.clientY);
  };
  drawing.addEventListener("pointermove", show);
  drawing.addEventListener("pointerdown", show);
  drawing.addEventListener("pointerleave", () => { tip.hidden = true; });
}

// Makes tables of a figure's numbers from its data, on demand. Lines with the same x values share a table.
const most_rows = 2000;

function number_table(axis, lines) {
  const table = document.createElement("table"), head = table.createTHead().insertRow(), body = table.createTBody();
  table.className = "plain";
  for (const name of [axis, ...lines.map((line) => line.name)]) {
    const heading = document.createElement("th");
    heading.scope = "col";
    heading.textContent = name;
    head.append(heading);
  }
  lines[0].x.slice(0, most_rows).forEach((x, i) => {
    const row = body.insertRow();
    for (const value of [x, ...lines.map((line) => line.y[i])]) {
      const cell = row.insertCell();
      cell.className = "number";
      cell.textContent = value === null ? "-" : String(value);
    }
  });
  return table;
}

function fill_numbers(details, data) {
  for (const panel of data.panels) {
    const groups = new Map();
    for (const line of panel.series) {
      const places = JSON.stringify(line.x);
      if (line.name !== "") groups.set(places, [...(groups.get(places) ?? []), line]);
    }
    for (const lines of groups.values()) {
      const box = document.createElement("div"), title = document.createElement("p");
      title.textContent = [panel.title, panel.y.title].filter(Boolean).join(": ");
      box.className = "scrolls";
      box.tabIndex = 0;
      box.append(number_table(panel.x.title, lines));
      details.append(title, box);
    }
  }
}

function add_numbers(figure) {
  if (figure.querySelector("table") !== null) return;
  const details = document.createElement("details"), summary = document.createElement("summary");
  summary.textContent = "Numbers";
  details.append(summary);
  details.addEventListener("toggle", () => {
    const address = figure.querySelector("a[download]").getAttribute("href");
    fill_numbers(details, JSON.parse(decodeURIComponent(address.slice(address.indexOf(",") + 1))));
  }, {once: true});
  figure.querySelector(".drawing").after(details);
}

// The colour switch overrides the system's choice.
function add_switch() {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "switch";
  const system = matchMedia("(prefers-color-scheme: dark)");
  const is_dark = () => (document.documentElement.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
  const name = () => { button.textContent = is_dark() ? "Light" : "Dark"; };
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = is_dark() ? "light" : "dark";
    name();
  });
  system.addEventListener("change", name);
  name();
  document.querySelector("nav").append(button);
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";  // a broken escape in an address that was typed
  }
}

// A link to collapsed content opens it; a printout shows every counterexample.
function unfold_target() {
  const target = location.hash.includes("=") ? null : document.getElementById(decoded(location.hash.slice(1)));
  const folded = target?.closest("details");
  if (!folded) return;
  folded.open = true;
  target.scrollIntoView();
}

function unfold_for_print() {
  const closed = Array.from(document.querySelectorAll(".failure:not([open])"));
  for (const one of closed) one.open = true;
  addEventListener("afterprint", () => { for (const one of closed) one.open = false; }, {once: true});
}

for (const table of document.querySelectorAll("table.sortable")) make_sortable(table);
document.body.append(tip);
for (const drawing of document.querySelectorAll(".drawing svg")) show_hints(drawing);
for (const figure of document.querySelectorAll("figure")) add_numbers(figure);
add_filters();
add_switch();
read_address();
apply_filters();
unfold_target();
addEventListener("hashchange", () => { read_address(); apply_filters(); unfold_target(); });
addEventListener("beforeprint", unfold_for_print);
