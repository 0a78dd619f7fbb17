/* What a report does beyond being read: sort, filter, search, values at marks, samples, two machines, links that
   keep all this. Nothing is fetched. Without it the page is whole. The address tells the state:
   #place?q=search&s.TABLE=COLUMNd&f.TABLE=words&o.TABLE=row,row&a=machine&b=machine&d=1 */
(() => {
"use strict";

const page = document.documentElement, main = document.getElementById("main");
const all = (selector, from = document) => [...from.querySelectorAll(selector)];
const DASH = "\u2013";

/** An element with these attributes and children; an attribute that is a function listens. */
function make(tag, given = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

const spoken = make("p", {class: "unseen", role: "status"});
const say = text => { spoken.textContent = text; };

// --- text and numbers ---

/** The text of an element, its parts apart; a <wbr> is inside a word. */
function words(node) {
  if (node.nodeType === 3) return node.data;
  if (node.nodeType !== 1 || node.classList.contains("tool")) return "";
  const own = [...node.childNodes].map(words).join("");
  return node.tagName === "WBR" ? "" : ` ${own} `;
}
const tidy = text => text.replace(/[ \t\r\n]+/g, " ").trim();  // the spaces within numbers stay
const joined = text => text.replace(/(\d)[\u202f\u00a0](?=\d{3})/g, "$1");  // and here they go

/** Text as it is compared with what was asked for: small letters, numbers without spaces, sizes as 512x256. */
function plain(text) {
  const small = joined(text).toLowerCase().replace(/\u00d7/g, "x").replace(/\u00b5/g, "u");
  return tidy(small).replace(/(\d) ?x ?(?=\d)/g, "$1x");
}

const UNITS = {ns: 1e-9, "\u00b5s": 1e-6, us: 1e-6, ms: 1e-3, s: 1, min: 60, h: 3600, Hz: 1};
for (const [prefix, factor] of [["k", 1e3], ["K", 1e3], ["M", 1e6], ["G", 1e9], ["T", 1e12]]) {
  for (const unit of ["B", "B/s", "FLOP/s", "Hz", "point/s"]) UNITS[prefix + unit] = factor;
}
["KiB", "MiB", "GiB", "TiB"].forEach((unit, place) => { UNITS[unit] = UNITS[unit + "/s"] = 1024 ** (place + 1); });

const NUMBER = "([-+\u2212]?\\d+(?:\\.\\d+)?(?:e[-+]?\\d+)?)";
const UNIT = "(?:\\s*([%A-Za-z\u00b5]+(?:/s)?))?(?=$|[\\s(,;.:\\[])";
const VALUE = new RegExp(`^[<>~\u2248\u2264\u2265]?\\s*${NUMBER}(?:\\s+to\\s+${NUMBER})?${UNIT}`);
const SIZE = /^(\d+)\s*[x\u00d7]\s*(\d+)(?:\s*[x\u00d7]\s*(\d+))?\b/;
const number = text => Number(text.replace("\u2212", "-"));

/** The number that a text begins with, in its unit's own measure; of a range the middle; else null. */
function value(text) {
  text = tidy(joined(text));
  const size = SIZE.exec(text);
  if (size) return size.slice(1).reduce((product, side) => product * (side ?? 1), 1);
  const found = VALUE.exec(text);
  if (!found) return null;
  const [low, high] = [number(found[1]), number(found[2] ?? found[1])];
  const middle = low > 0 && high > 0 ? Math.sqrt(low * high) : (low + high) / 2;
  return middle * (UNITS[found[3]] ?? 1);
}

const VERDICTS = ["REPRODUCED", "TREND ONLY", "NOT REPRODUCED", "INCONCLUSIVE", "NOT RUN"];
const collator = new Intl.Collator("en", {numeric: true});

/** What a cell is sorted by: a verdict before all else, the number in front, the text. */
function rank(cell) {
  const badge = cell.querySelector(".badge");
  if (badge) {
    const told = cell.querySelector(".value") ?? cell;
    const place = VERDICTS.indexOf(badge.textContent.trim());
    return {verdict: place < 0 ? VERDICTS.length : place, number: value(words(told)), text: words(cell)};
  }
  const front = [];
  for (const node of cell.childNodes) {
    if (node.nodeType === 1 && node.matches(".i, .note-in, .est") && front.join("").trim()) break;
    front.push(words(node));
  }
  const text = tidy(front.join(""));
  return {verdict: 0, number: value(text), text, missing: text === "" || text === DASH};
}

function compare(one, other) {
  if (one.verdict !== other.verdict) return one.verdict - other.verdict;
  if (one.number !== null && other.number !== null && one.number !== other.number) return one.number - other.number;
  if ((one.number === null) !== (other.number === null)) return one.number === null ? 1 : -1;
  return collator.compare(one.text, other.text);
}

/** The ends of the interval that a cell prints, or its number twice; null where it has none. */
function ends(cell) {
  const printed = cell.querySelector(".i");
  const range = printed && new RegExp(`${NUMBER} to ${NUMBER}`).exec(printed.textContent.replace(/[\u202f]/g, ""));
  if (range) return [number(range[1]), number(range[2])];
  const {number: alone} = rank(cell);
  return alone === null ? null : [alone, alone];
}

// --- samples ---

const source = document.getElementById("samples");
let unpacked = null;

/** Every row of samples of the page: {name, unit, values(), processes}. */
function samples() {
  if (unpacked || !source) return unpacked ?? [];
  const {signs, rows} = JSON.parse(source.textContent);
  let name = "";
  unpacked = rows.map(([shared, rest, unit, power, least, width, digits, processes]) => {
    name = name.slice(0, shared) + rest;
    const values = () => Array.from({length: digits.length / width}, (_, place) => {
      const own = digits.slice(place * width, (place + 1) * width);
      let whole = 0;
      for (const sign of own) whole = whole * signs.length + signs.indexOf(sign);
      return Number(`${least + whole}e${power}`);
    });
    return {name, unit, values, processes};
  });
  return unpacked;
}

/** The rows of samples behind a table's row. */
const behind = row => all("td[data-s]", row)
  .flatMap(cell => cell.dataset.s.split(" ").map(place => [cell, samples()[place]]));

/** Samples as dots from the least to the most, a lane for each process. */
function strip(values, processes) {
  const low = Math.min(...values), high = Math.max(...values), lane = 12;
  const across = one => (4 + (high > low ? 292 * (one - low) / (high - low) : 146)).toFixed(1);
  let drawn = "", at = 0;
  processes.forEach((count, place) => {
    const up = lane * (place + 0.5);
    drawn += `<path d="M4 ${up}h292"/>`;
    for (const one of values.slice(at, at + count)) drawn += `<circle cx="${across(one)}" cy="${up}" r="2.6"/>`;
    at += count;
  });
  const made = make("div", {class: "strip"});
  // Numbers alone, so that no text of a file is taken for markup.
  made.innerHTML = `<svg viewBox="0 0 300 ${lane * processes.length}" aria-hidden="true">${drawn}</svg>`;
  return made;
}

/** What unfolds below a row: its values' samples, each with the name of its row in the result file. */
function shownSamples(row, columns) {
  const parts = behind(row).map(([cell, {name, unit, values: unpack, processes}]) => {
    const values = unpack();
    const told = `${values.length} samples of ${processes.length} ${processes.length === 1 ? "process" : "processes"}`;
    let at = 0;
    const listed = processes.map(count => values.slice(at, at += count).join(", ")).join("; ");
    return make("div", {class: "sampled"},
      make("p", {}, make("b", {}, columns[cell.cellIndex]), " ", make("code", {}, name)),
      strip(values, processes),
      make("p", {class: "files"}, `${told}, ${Math.min(...values)} to ${Math.max(...values)} ${unit}.`),
      make("details", {}, make("summary", {}, "Each, in order"), make("p", {class: "files"}, listed)));
  });
  return make("tr", {class: "unfolded tool"}, make("td", {colspan: columns.length}, ...parts));
}

// --- tables ---

class Table {
  constructor(element) {
    this.element = element;
    this.key = element.dataset.key;
    this.frame = element.closest(".scroll") ?? element;
    this.name = this.frame.getAttribute("aria-label") ?? element.getAttribute("aria-label") ?? this._heading();
    this.bodies = [...element.tBodies].map(body => ({body, rows: all("tr:not(.study-row)", body)}));
    this.rows = this.bodies.flatMap(one => one.rows);
    this._texts = null;
    this.sorted = null;
    this.words = "";
    this.differs = null;
    this.unfolded = new Map();
    this._columns();
    if (this.rows.length > 1) this._tools();
    if (element.querySelector("td[data-s]")) this._unfolding();
  }

  _heading() {
    return tidy(words(this.element.closest("details")?.querySelector("summary") ?? this.element));
  }

  /** The lowest heading above each column, and the machine above that. */
  _columns() {
    this.heads = [];
    this.groups = [];
    [...this.element.tHead.rows].forEach((row, level) => {
      let at = 0;
      for (const cell of row.cells) {
        while (level && this.heads[at]?.rowSpan > 1) at += 1;
        for (let place = 0; place < cell.colSpan; place += 1, at += 1) {
          if (cell.matches(".group")) this.groups[at] = tidy(words(cell));
          else this.heads[at] = cell;
        }
      }
    });
    this.titles = this.heads.map((head, at) => [this.groups[at], tidy(words(head))].filter(Boolean).join(": "));
  }

  _tools() {
    this.input = make("input", {type: "search", placeholder: "Filter rows", "aria-label": `Filter: ${this.name}`,
      input: () => { this.words = this.input.value; this.update(); write(); }});
    this.count = make("span");
    const tools = make("div", {class: "tools tool"}, this.input, this.count);
    this.frame.before(tools);
    this.buttons = this.heads.map((head, at) => {
      const button = make("button", {type: "button", class: "sort tool", tabindex: at ? -1 : 0,
        "aria-label": `Sort by ${this.titles[at]}`, title: "Sort; arrow keys reach the other columns",
        click: () => { this.sort(this._next(at)); write(); }, keydown: event => this._arrow(event, at),
        focus: () => this.buttons.forEach((one, place) => { one.tabIndex = place === at ? 0 : -1; })});
      head.append(button);
      head.classList.add("sorts");
      return button;
    });
    if (this.element.matches(".claims")) {
      const chosen = () => { this.sort(this.choice.value); write(); };
      this.choice = make("select", {"aria-label": `Sort: ${this.name}`, change: chosen},
        make("option", {value: ""}, "Sort: as printed"),
        ...this.titles.map((title, at) => make("option", {value: `${at}a`}, `Sort: ${title}`)));
      tools.append(this.choice);
    }
  }

  _next(at) {
    return this.sorted === `${at}a` ? `${at}d` : this.sorted === `${at}d` ? null : `${at}a`;
  }

  _arrow(event, at) {
    const to = {ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: this.buttons.length - 1}[event.key];
    if (to === undefined || !this.buttons[to]) return;
    event.preventDefault();
    this.buttons[to].focus();
  }

  /** Sort by what a link says: 2a, 2d, or nothing for the order as printed. */
  sort(how) {
    const found = /^(\d+)([ad])$/.exec(how ?? ""), at = found && Number(found[1]);
    this.sorted = found && this.heads[at] && this.buttons ? how : null;
    const sign = found?.[2] === "d" ? -1 : 1;
    for (const {body, rows} of this.bodies) {
      let ordered = rows;
      if (this.sorted) {
        const keyed = rows.map(row => [rank(row.cells[at]), row]);
        keyed.sort(([one], [other]) => (one.missing ? 1 : 0) - (other.missing ? 1 : 0) || sign * compare(one, other));
        ordered = keyed.map(([, row]) => row);
      }
      body.append(...ordered.flatMap(row => this.unfolded.has(row) ? [row, this.unfolded.get(row)] : [row]));
    }
    this.heads.forEach((head, place) => {
      if (this.sorted && place === at) head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    });
    if (this.choice) this.choice.value = this.sorted?.endsWith("a") ? this.sorted : "";
    if (this.sorted) say(`${this.name}: sorted by ${this.titles[at]}, ${sign > 0 ? "ascending" : "descending"}`);
  }

  /** What each row says, and what the rows behind it are called, to compare words with. */
  get texts() {
    const said = row => [words(row), ...behind(row).map(([, one]) => one.name)].join(" ");
    return this._texts ??= this.rows.map(row => plain(said(row)));
  }

  update() {
    const asked = plain(this.words).split(" ").filter(Boolean);
    let shown = 0;
    this.rows.forEach((row, at) => {
      const hidden = !asked.every(word => this.texts[at].includes(word)) || Boolean(this.differs && !this.differs(row));
      row.hidden = hidden;
      const more = this.unfolded.get(row);
      if (more) more.hidden = hidden;
      shown += !hidden;
    });
    for (const {body, rows} of this.bodies) {
      for (const head of all(".study-row", body)) head.hidden = rows.every(row => row.hidden);
    }
    const told = asked.length || this.differs ? `${shown} of ${this.rows.length} rows` : "";
    if (this.count && this.count.textContent !== told) {
      this.count.textContent = told;
      if (told) say(`${this.name}: ${told}`);
    }
    if (this.input && this.input.value !== this.words) this.input.value = this.words;
  }

  _unfolding() {
    for (const row of this.rows.filter(one => one.querySelector("td[data-s]"))) {
      row.cells[0].prepend(make("button", {type: "button", class: "more tool", "aria-expanded": "false", tabindex: -1,
        "aria-label": `Samples: ${tidy(words(row.cells[0]))}`, title: "Samples",
        click: () => { this.unfold(row); write(); }, keydown: event => this._step(event, row),
        focus: event => reach(event.target)}));
    }
    const buttons = all("button.more", this.element);
    // One of them is reached by the tab key, the others from there by the arrow keys.
    const reach = button => buttons.forEach(one => { one.tabIndex = one === button ? 0 : -1; });
    reach(buttons[0]);
  }

  _step(event, row) {
    const there = all("tbody tr", this.element).filter(one => !one.hidden && one.querySelector("button.more"));
    const to = there[there.indexOf(row) + ({ArrowDown: 1, ArrowUp: -1}[event.key] ?? NaN)];
    if (!to) return;
    event.preventDefault();
    to.querySelector("button.more").focus();
  }

  unfold(row, open = !this.unfolded.has(row)) {
    const button = row?.querySelector("button.more");
    if (!button || open === this.unfolded.has(row)) return;
    button.setAttribute("aria-expanded", String(open));
    if (open) {
      const more = shownSamples(row, this.titles);
      this.unfolded.set(row, more);
      row.after(more);
    } else {
      this.unfolded.get(row).remove();
      this.unfolded.delete(row);
    }
  }

  /** Show the columns of these machines alone; of all without any. */
  only(machines) {
    const other = name => Boolean(machines && name && !machines.includes(name));
    for (const head of all("th.group", this.element)) head.hidden = other(tidy(words(head)));
    for (const cells of [this.heads, ...this.rows.map(row => [...row.cells])]) {
      cells.forEach((cell, at) => { cell.hidden = other(this.groups[at]); });
    }
  }

  /** Whether a row's values on two machines lie apart, interval from interval. */
  apart(row, one, other) {
    return this.heads.some((head, at) => {
      if (this.groups[at] !== one) return false;
      const twin = this.heads.findIndex((mine, place) => this.groups[place] === other && words(mine) === words(head));
      const [left, right] = [at, twin].map(place => place < 0 ? null : ends(row.cells[place]));
      return left && right && (left[0] > right[1] || left[1] < right[0]);
    });
  }

  reveal() {
    for (let up = this.element; up; up = up.parentElement) if (up.tagName === "DETAILS") up.open = true;
    (this.input ?? this.frame).scrollIntoView({block: "start"});
  }
}

const tables = new Map();

// --- search ---

const search = {query: "", input: null, panel: null, index: null};

/** Everything that can be found by its name: claims and variants; tables are asked themselves. */
function indexed() {
  const claims = all("article.claim").map(one => ({
    kind: "Claims", place: one.id, label: tidy(words(one.querySelector("h4"))), text: plain(words(one))}));
  const variants = all("dl.variants dt code").map(one => {
    const dt = one.closest("dt");
    dt.id ||= `${one.closest("section").id}-variant-${one.textContent}`;
    const text = plain(`${words(dt)} ${words(dt.nextElementSibling)}`);
    return {kind: "Variants", place: dt.id, label: one.textContent, text};
  });
  return [...claims, ...variants];
}

/** Tables with rows that hold the words, but for those which their title and headings hold. */
function foundTables(asked) {
  return [...tables.values()].flatMap(table => {
    const study = table.element.closest("section")?.id.replace(/_/g, " ") ?? "";
    const head = plain([table.name, ...table.titles, study].join(" "));
    const hits = table.texts.filter(text => asked.every(word => text.includes(word) || head.includes(word)));
    const own = asked.filter(word => hits.some(text => text.includes(word)) && !head.includes(word));
    if (!hits.length) return [];
    const kind = table.key.endsWith("-graph") ? "Graphs" : "Tables";
    const name = table.name.replace(/^Data of the graph: /, "");
    const filter = own.join(" "), label = filter ? `${name}: ${hits.length} of ${table.rows.length} rows` : name;
    return [{kind, place: table.key, label, filter}];
  });
}

function find(query) {
  search.query = query;
  if (search.input.value !== query) search.input.value = query;
  const asked = plain(query).split(" ").filter(Boolean);
  search.panel.replaceChildren();
  search.panel.hidden = !asked.length;
  if (!asked.length) return;
  search.index ??= indexed();
  const first = asked[0];
  const hits = search.index.filter(one => asked.every(word => one.text.includes(word)))
    .sort((one, other) => !plain(one.label).startsWith(first) - !plain(other.label).startsWith(first));
  hits.push(...foundTables(asked));
  const kinds = [...new Set(hits.map(one => one.kind))];
  const told = hits.length ? kinds.map(kind => {
    const count = hits.filter(one => one.kind === kind).length;
    return `${count} ${count === 1 ? kind.toLowerCase().slice(0, -1) : kind.toLowerCase()}`;
  }).join(", ") : "Nothing found";
  search.panel.append(make("p", {class: "files"}, told));
  for (const kind of kinds) {
    const links = hits.filter(one => one.kind === kind).map(one => {
      const state = current();
      if (one.filter) state.set(`f.${one.place}`, one.filter);
      const link = make("a", {href: address(one.place, state), click: () => {
        search.panel.hidden = true;
        if (link.hash === location.hash) follow(false);  // no change of address tells
      }}, one.label);
      return make("li", {}, link);
    });
    search.panel.append(make("p", {class: "eyebrow"}, kind), make("ul", {}, ...links));
  }
  say(told);
}

function searchBar() {
  const hint = "claim, variant or size";
  search.input = make("input", {type: "search", id: "search", placeholder: hint, autocomplete: "off",
    input: () => { find(search.input.value); write(); },
    focus: () => { if (search.query) search.panel.hidden = false; }});
  search.panel = make("div", {class: "found", role: "region", "aria-label": "What the search found", hidden: true});
  const form = make("form", {class: "bar", role: "search", submit: event => event.preventDefault(),
    keydown: event => { if (event.key === "Escape") { find(""); write(); search.input.focus(); } }},
    make("label", {for: "search"}, "Search"), search.input, search.panel);
  document.addEventListener("pointerdown", event => { if (!form.contains(event.target)) search.panel.hidden = true; });
  return form;
}

// --- two machines ---

const pair = {first: null, second: null, only: null};

/** Choose two machines' columns, or of a comparison the rows that differ. */
function pairBar() {
  if (!main?.dataset.side) return null;
  const changed = () => { sideBySide(); write(); };
  pair.only = make("input", {type: "checkbox", id: "only", change: changed});
  const machines = main.dataset.side === "machines";
  const hint = machines ? "their intervals lie apart" : "the verdict says which way";
  const parts = [pair.only, make("label", {for: "only"}, `only what differs (${hint})`)];
  if (machines) {
    const names = [...new Set([...tables.values()].flatMap(table => table.groups.filter(Boolean)))];
    if (names.length < 2) return null;
    const choice = label => make("select", {"aria-label": label, change: changed}, make("option", {value: ""}, label),
      ...names.map(name => make("option", {value: name}, name)));
    pair.first = choice("One machine");
    pair.second = choice("Another machine");
    parts.unshift(pair.first, pair.second);
  }
  return make("fieldset", {class: "bar pair"}, make("legend", {class: "unseen"}, "Side by side"), ...parts);
}

function sideBySide() {
  if (!pair.only) return;
  const names = [pair.first?.value, pair.second?.value].filter(Boolean);
  const two = names.length === 2 && names[0] !== names[1];
  if (pair.first) pair.only.disabled = !two;
  for (const table of tables.values()) {
    if (pair.first && table.groups.length) {
      table.only(two ? names : null);
      table.differs = two && pair.only.checked ? row => table.apart(row, ...names) : null;
    } else if (!pair.first) {
      const at = table.titles.indexOf("verdict");
      const judged = at >= 0 && table.titles.includes("new / base");
      const resolved = row => /^(faster|slower|lower|higher)$/.test(tidy(words(row.cells[at])));
      table.differs = judged && pair.only.checked ? resolved : null;
    }
    table.update();
  }
}

// --- marks of graphs ---

/** What the figure's table says of a mark: data-m is its line, its column, and which of several values. */
function told(graph, mark) {
  const table = tables.get(graph.dataset.of), [line, column, place] = mark.dataset.m.split(",");
  const cells = [...(table?.rows[line]?.cells ?? [])].map(cell => tidy(words(cell)));
  if (!cells.length) return null;
  const keys = Number(graph.dataset.keys ?? 1);
  if (column === undefined) return [cells[0], ...cells.slice(1).map((cell, at) => `${table.titles[at + 1]}: ${cell}`)];
  const name = cells.slice(0, keys).map((cell, at) => `${table.titles[at]} ${cell}`).join(", ");
  return [cells[column].split("; ")[place ?? 0], table.titles[column], name];
}

function marked(graph) {
  const tip = make("div", {class: "tip", hidden: true}), ring = make("div", {class: "ring", hidden: true});
  graph.tabIndex = 0;
  graph.setAttribute("aria-description", "Arrow keys tell each mark's value");
  graph.after(tip, ring);
  const frame = graph.parentElement;
  let places = [], at = -1;

  const measure = () => {
    const own = frame.getBoundingClientRect();
    places = all("[data-m]", graph).flatMap(mark => {
      const box = mark.getBoundingClientRect();
      if (!graph.clientWidth || (!box.width && !box.height && !box.left)) return [];
      const [left, top] = [box.left - own.left, box.top - own.top];
      return [{mark, left, top, right: left + box.width, bottom: top + box.height}];
    });
  };
  const hide = () => { tip.hidden = ring.hidden = true; };
  const show = (place, aloud) => {
    const lines = told(graph, place.mark);
    if (!lines) return;
    tip.replaceChildren(make("b", {}, lines[0]), ...lines.slice(1).map(line => make("span", {}, line)));
    const x = (place.left + place.right) / 2, y = (place.top + place.bottom) / 2;
    const half = Math.max(9, Math.min(16, (place.bottom - place.top) / 2 + 4));
    ring.style.cssText = `left:${x - half}px;top:${y - half}px;width:${2 * half}px;height:${2 * half}px`;
    tip.hidden = ring.hidden = false;
    tip.style.left = `${Math.max(0, Math.min(x - tip.offsetWidth / 2, frame.clientWidth - tip.offsetWidth))}px`;
    tip.style.top = `${y - half - tip.offsetHeight - 4}px`;
    if (aloud) say(lines.join(", "));
  };
  const nearest = event => {
    const own = frame.getBoundingClientRect(), x = event.clientX - own.left, y = event.clientY - own.top;
    let best = null, least = 14;
    for (const place of places) {
      const across = Math.max(place.left - x, 0, x - place.right), up = Math.max(place.top - y, 0, y - place.bottom);
      const away = Math.hypot(across, up);
      if (away < least) [best, least] = [place, away];
    }
    return best;
  };
  const point = event => {
    if (event.type !== "pointermove" || !places.length) measure();
    const best = nearest(event);
    if (best) show(best);
    else hide();
  };
  for (const kind of ["pointerenter", "pointermove", "pointerdown"]) graph.addEventListener(kind, point);
  graph.addEventListener("pointerleave", hide);
  graph.addEventListener("blur", hide);
  graph.addEventListener("keydown", event => {
    if (event.key === "Escape") hide();
    const steps = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1};
    if (!(event.key in steps) && event.key !== "Home" && event.key !== "End") return;
    measure();
    const kept = new Map(places.map(place => [place.mark.dataset.m, place]));
    const order = [...kept.values()];
    if (!order.length) return;
    event.preventDefault();
    at = event.key === "Home" ? 0 : event.key === "End" ? order.length - 1
      : (at + steps[event.key] + order.length) % order.length;
    show(order[at], true);
  });
}

// --- links that keep the state ---

/** The state as an address tells it, for a link to this place. */
function current() {
  const state = new URLSearchParams();
  if (search.query) state.set("q", search.query);
  for (const table of tables.values()) {
    if (table.sorted) state.set(`s.${table.key}`, table.sorted);
    if (table.words) state.set(`f.${table.key}`, table.words);
    const open = [...table.unfolded.keys()].map(row => table.rows.indexOf(row));
    if (open.length) state.set(`o.${table.key}`, open.join(","));
  }
  if (pair.first?.value) state.set("a", pair.first.value);
  if (pair.second?.value) state.set("b", pair.second.value);
  if (pair.only?.checked) state.set("d", "1");
  return state;
}

const address = (place, state) => `#${place}${String(state) ? `?${state}` : ""}`;

/** (the place, the state or null) of the address. */
function asked() {
  const [place, ...rest] = location.hash.slice(1).split("?");
  return [decodeURIComponent(place), rest.length ? new URLSearchParams(rest.join("?")) : null];
}

function write() {
  const to = address(asked()[0], current());
  if (to !== location.hash) history.replaceState(null, "", to === "#" ? location.pathname + location.search : to);
}

function apply(state) {
  for (const table of tables.values()) {
    const [how, filter] = [state.get(`s.${table.key}`), state.get(`f.${table.key}`) ?? ""];
    if (how !== table.sorted) table.sort(how);
    table.words = filter;
    const open = new Set((state.get(`o.${table.key}`) ?? "").split(",").filter(Boolean).map(at => table.rows[at]));
    for (const row of new Set([...open, ...table.unfolded.keys()])) table.unfold(row, open.has(row));
    table.update();
  }
  if (pair.first) {
    pair.first.value = state.get("a") ?? "";
    pair.second.value = state.get("b") ?? "";
  }
  if (pair.only) {
    pair.only.checked = state.get("d") === "1";
    sideBySide();
  }
  find(state.get("q") ?? "");
}

/** Follow the address: its state, if it tells one, and its place. */
function follow(first) {
  const [place, state] = asked();
  if (state) apply(state);
  else if (!first) write();
  if (!place || (first && !state)) return;
  const table = tables.get(place), target = document.getElementById(place);
  if (state && search.panel) search.panel.hidden = true;
  if (table) table.reveal();
  else if (target) {
    for (let up = target; up; up = up.parentElement) if (up.tagName === "DETAILS") up.open = true;
    target.scrollIntoView();
  }
}

for (const element of all("table[data-key]")) tables.set(element.dataset.key, new Table(element));
for (const graph of all(".graph")) if (graph.querySelector("[data-m]")) marked(graph);
main?.before(...[searchBar(), pairBar()].filter(Boolean));
document.body.append(spoken);
page.classList.add("explored");
addEventListener("hashchange", () => follow(false));
follow(true);
})();
