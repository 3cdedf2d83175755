const el = (tag, props = {}, ...kids) => { const e = Object.assign(document.createElement(tag), props); e.append(...kids); return e; };
const $ = id => document.getElementById(id);

// The part of the time that is shown, in slots; the function whose callers are shown; the root of the flame graph.
let from = 0, to = D.slots, chosen = "", root = "", tab = 0;
const begin = () => from * D.slot, end = () => to === D.slots ? Infinity : to * D.slot;
const isIn = slot => slot >= from && slot < to;
/** Seconds of the shown part: the last slot may be shorter. */
const length = () => (Math.min(to * D.slot, D.length) - from * D.slot) / 1e9;

// ---- samples
const program = t => D.threads[t][0], process = t => D.threads[t][0] + " " + D.threads[t][1];
const MODULES = D.samples.functions.map(([m]) => m || "?"), PLACES = D.samples.functions.map(([m, n]) => m ? m + "!" + n : n);
const cells = () => D.samples.cells.filter(c => isIn(c[0]));
/** What each stack leads through, each thing once, the innermost first. */
const distinct = names => D.samples.stacks.map(stack => [...new Set(stack.map(f => names[f]))]);
const STACKS = {
  get modules() { return this.ofModules ||= distinct(MODULES); },
  get places() { return this.ofPlaces ||= distinct(PLACES); },
};

/** Samples by thread, named by `name`. */
function byThread(name) {
  const rows = new Map();
  for (const [, t, , n] of cells()) rows.set(t, (rows.get(t) || 0) + n);
  const named = new Map();
  for (const [t, n] of rows) named.set(name(t), (named.get(name(t)) || 0) + n);
  return [...named];
}

/** Samples by what stacks lead through: in itself, and with callees. */
function byCode(stacks) {
  const rows = new Map();
  for (const [, , s, n] of cells()) {
    stacks[s].forEach((k, depth) => {
      let r = rows.get(k);
      if (!r) rows.set(k, r = [k, 0, 0]);
      r[2] += n;
      if (depth === 0) r[1] += n;
    });
  }
  return [...rows.values()];
}

/** The functions above (step 1) or below (step -1) the chosen one, by samples. */
function around(step) {
  const rows = new Map();
  for (const [, , s, n] of cells()) {
    if (!STACKS.places[s].includes(chosen)) continue;
    const names = D.samples.stacks[s].map(f => PLACES[f]), seen = new Set();
    names.forEach((name, at) => {
      if (name !== chosen) return;
      const other = names[at + step] ?? (step > 0 ? "(the start of the thread)" : "(itself)");
      if (!seen.has(other)) rows.set(other, (rows.get(other) || 0) + n);
      seen.add(other);
    });
  }
  return [...rows];
}

// ---- switches
function switches() {
  const rows = new Map(), row = t => rows.get(t) || rows.set(t, [0, 0, 0, 0, 0]).get(t);
  for (const [at, t, ns] of D.ran) if (isIn(at)) row(t)[0] += ns;
  for (const [at, t, times, waited, ready, longest] of D.aways.short) if (isIn(at)) {
    const r = row(t);
    r[1] += waited; r[2] += ready; r[3] = Math.max(r[3], longest); r[4] += times;
  }
  for (const [t, since, until, waits] of D.aways.long) {
    const part = Math.min(until, end()) - Math.max(since, begin());
    if (part <= 0) continue;
    const r = row(t);
    if (waits) { r[1] += part; r[3] = Math.max(r[3], part); } else r[2] += part;
  }
  return [...rows].map(([t, [ran, waited, ready, longest, times]]) =>
    [process(t), D.threads[t][2], ran / 1e3, waited / 1e3, ready / 1e3, longest / 1e3, times, D.threads[t][3]]);
}

// ---- rows of the tables that are declared with the data
const IS_KEY = new Set(["text", "number", "value"]);

function rowsOfSums({ columns, data }) {
  const sums = new Map();
  for (const [slot, key, count, amount, took, longest] of data.cells) {
    if (!isIn(slot)) continue;
    const s = sums.get(key) || sums.set(key, { count: 0, amount: 0, us: 0, longest: 0 }).get(key);
    s.count += count; s.amount += amount; s.us += took / 1e3; s.longest = Math.max(s.longest, longest / 1e3);
  }
  return [...sums].map(([key, s]) => columns.map(([, from], at) => IS_KEY.has(from) ? data.keys[key][at] ?? "" : s[from]));
}

/** The length that so many percent of the sorted lengths do not exceed. */
const percentile = (sorted, percent) => sorted[Math.max(Math.ceil(sorted.length * percent / 100), 1) - 1];
const late = (ns, usual, rest) => ns < rest && usual > 0 && ns > Math.floor(usual * 150 / 100) ? Math.floor((ns + Math.floor(usual / 2)) / usual) - 1 : 0;

function rowsOfDurations({ columns, data }) {
  const all = new Map();
  for (const [slot, key, ns] of data.items) if (isIn(slot)) (all.get(key) || all.set(key, []).get(key)).push(ns);
  return [...all].map(([key, items]) => {
    items.sort((a, b) => a - b);
    const sum = items.reduce((a, b) => a + b, 0), usual = data.usual?.[key];
    const values = {
      times: items.length, sum: sum / 1e3, most: items.at(-1) / 1e3, share: sum / 1e7 / length(), rate: items.length / length(),
      p50: percentile(items, 50) / 1e3, p95: percentile(items, 95) / 1e3, p99: percentile(items, 99) / 1e3,
      missed: items.reduce((n, ns) => n + late(ns, usual, data.rest), 0),
    };
    return columns.map(([, from], at) => IS_KEY.has(from) ? data.keys[key][at] : values[from]);
  });
}

function rowsOfEvents({ columns, data }) {
  const lives = columns[0][1] === "start";
  const isShown = r => lives ? (r[0] ?? -Infinity) < end() && (r[1] ?? Infinity) >= begin() : r[0] >= begin() && r[0] < end();
  return data.rows.filter(isShown);
}

const DECIMALS = { time: 3, start: 3, end: 3, share: 2, rate: 1 };
const FORMATS = [0, 1, 2, 3].map(digits => new Intl.NumberFormat("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }));
/** A value as text, by where it comes from. */
function text(value, from) {
  if (value === null || value === undefined) return from === "start" ? "before" : from === "end" ? "later" : "";
  if (typeof value !== "number") return value;
  if (from === "number") return String(value);
  if (from === "time" || from === "start" || from === "end") value /= 1e9;
  const digits = DECIMALS[from] ?? 0;
  return FORMATS[digits].format(digits ? value : Math.floor(value));
}

// ---- tables
const PROFILE = D.how.samples, COUNT = "count";
const BUILT = [
  { tab: "Processor", title: "By program", how: PROFILE, columns: [["program", "text"], ["samples", COUNT]], rows: () => byThread(program) },
  { tab: "Processor", title: "By thread", how: PROFILE, columns: [["thread", "text"], ["samples", COUNT]], rows: () => byThread(t => process(t) + ", thread " + D.threads[t][2]) },
  { tab: "Processor", title: "By module", how: PROFILE, columns: [["module", "text"], ["in itself", COUNT], ["with callees", COUNT]], rows: () => byCode(STACKS.modules) },
  { tab: "Processor", title: "By function", how: PROFILE, choose: true, columns: [["function", "text"], ["in itself", COUNT], ["with callees", COUNT]], rows: () => byCode(STACKS.places) },
  { tab: "Processor", title: "Callers", how: PROFILE, choose: true, of: true, columns: [["called by", "text"], ["samples", COUNT]], rows: () => around(1) },
  { tab: "Processor", title: "Callees", how: PROFILE, choose: true, of: true, columns: [["calls", "text"], ["samples", COUNT]], rows: () => around(-1) },
  { tab: "Switches", title: "Switches by thread", how: D.how.switches, rows: switches,
    columns: [["process", "text"], ["thread", "number"], ["ran us", "us"], ["waited us", "us"], ["ready us", "us"], ["longest wait us", "us"], ["switches", COUNT], ["mostly woken by", "text"]] },
];
const rowsOf = t => t.rows ? t.rows() : t.data.cells ? rowsOfSums(t) : t.data.items ? rowsOfDurations(t) : rowsOfEvents(t);
const TABLES = [...BUILT, ...D.tables];
const TABS = ["Findings", ...new Set(TABLES.map(t => t.tab))];
const SHOWN = 15;

/** Adds a table to a panel and returns what draws it. */
function table(spec, panel) {
  const { title, columns, how } = spec, isNumber = i => columns[i][1] !== "text";
  const filter = el("input", { type: "search", placeholder: "filter", ariaLabel: "Filter " + title });
  const name = el("span", { textContent: title + " " }), head = el("tr"), body = el("tbody"), note = el("p", { className: "more" });
  const first = columns.findIndex((c, i) => isNumber(i) && !["number", "time", "start", "end"].includes(c[1]));
  const state = { by: Math.max(first, 0), down: first >= 0, shown: SHOWN };
  columns.forEach(([label], i) => {
    const sort = () => { state.down = state.by === i ? !state.down : isNumber(i); state.by = i; draw(); };
    head.append(el("th", { textContent: label, className: isNumber(i) ? "n" : "", tabIndex: 0, scope: "col", onclick: sort,
      onkeydown: e => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); sort(); } } }));
  });
  const box = el("section", {}, el("h2", {}, name, filter), el("table", {}, el("thead", {}, head), body), note);
  box.dataset.table = title;
  function cell(value, i) {
    const shown = text(value, columns[i][1]);
    if (i === 0 && spec.choose && !shown.startsWith("(")) {
      return el("td", {}, el("button", { textContent: shown, title: "show its callers and callees", onclick: () => { chosen = shown; draw(); redraw(); } }));
    }
    return el("td", { className: isNumber(i) ? "n" : "", textContent: shown });
  }
  // The rows of the part of the time, until another is chosen.
  let known = [], of = "";
  function rowsNow() {
    const now = `${from} ${to} ${spec.of ? chosen : ""}`;
    if (now !== of) { known = rowsOf(spec); of = now; }
    return known;
  }
  function draw() {
    if (spec.of) { name.textContent = chosen ? `${title} of ${chosen} ` : title + " "; }
    const all = rowsNow(), word = filter.value.toLowerCase(), { by, down } = state;
    const rows = all.filter(r => !word || r.some((v, i) => String(text(v, columns[i]?.[1])).toLowerCase().includes(word)));
    const low = v => v === null || v === undefined;
    rows.sort((a, b) => (low(a[by]) - low(b[by]) || (a[by] < b[by] ? -1 : a[by] > b[by] ? 1 : 0)) * (down ? -1 : 1));
    [...head.children].forEach((th, i) => th.ariaSort = i === by ? (down ? "descending" : "ascending") : "none");
    body.replaceChildren(...rows.slice(0, state.shown).map(r => el("tr", {}, ...columns.map((_, i) => cell(r[i], i)))));
    note.replaceChildren();
    const isEmpty = spec.data && !(spec.data.cells || spec.data.items || spec.data.rows).length || !spec.data && spec.how && !all.length && from === 0 && to === D.slots;
    if (spec.of && !chosen) note.append("Choose a function above.");
    else if (isEmpty) note.append(`Nothing was recorded for this. To record it: ${how}.`);
    else if (!all.length) note.append("Nothing in this part of the time.");
    if (rows.length > state.shown) note.append(`${rows.length - state.shown} more rows. `, el("button", { textContent: "show more", onclick: () => { state.shown *= 10; draw(); } }));
    if (spec.data?.leftOut) note.append(` ${spec.data.leftOut} more are not in this page.`);
  }
  filter.oninput = draw;
  panel.append(box);
  return draw;
}

// ---- flame graph
function flame() {
  const box = $("flame"), top = { n: 0, kids: new Map() }, kinds = D.samples.kinds, drawn = new Set();
  for (const [, t, s, n] of cells()) {
    // A program is a group, the first of the kinds.
    const path = [[program(t), 0], ...D.samples.stacks[s].map(f => [PLACES[f], D.samples.functions[f][2]]).reverse()];
    const skip = root ? path.findIndex(([name]) => name === root) : 0;
    if (skip < 0) continue;
    let at = top;
    top.n += n;
    for (const [name, kind] of path.slice(skip)) {
      let k = at.kids.get(name);
      if (!k) at.kids.set(name, k = { n: 0, kind, kids: new Map() });
      k.n += n; at = k;
    }
  }
  const width = box.clientWidth || 1000, out = [];
  let deepest = 0;
  const lay = (node, x, depth) => {
    for (const [name, k] of [...node.kids].sort((a, b) => a[0] < b[0] ? -1 : 1)) {
      const w = k.n / top.n * width;
      if (w >= 1) {
        let hue = 0;
        for (const c of name.split("!")[0]) hue = (hue * 31 + c.charCodeAt(0)) % 12;
        const [, base, full] = kinds[k.kind];
        drawn.add(k.kind);
        const d = el("div", { textContent: w > 30 ? name : "", title: `${name}: ${k.n} of ${top.n} samples`, onclick: () => { root = root === name ? "" : name; flame(); } });
        d.style.cssText = `left:${x}px;top:${depth * 18}px;width:${w - 1}px;background:hsl(${base + hue} ${full}% 72%)`;
        out.push(d);
        deepest = Math.max(deepest, depth);
        lay(k, x, depth + 1);
      }
      x += w;
    }
  };
  lay(top, 0, 0);
  const legend = kinds.flatMap(([name, hue, full], kind) => {
    if (!drawn.has(kind)) return [];
    const key = el("span", { textContent: name });
    key.style.borderLeftColor = `hsl(${hue} ${full}% 66%)`;
    return [key];
  });
  $("kinds").replaceChildren(...legend);
  box.replaceChildren(...out);
  box.style.height = (deepest + 1) * 18 + "px";
}

// ---- ruler of time
const busy = new Float64Array(D.slots);
for (const [at, , n] of D.ran) busy[at] += n;
if (!D.ran.length) for (const [at, , , n] of D.samples.cells) busy[at] += n;
if (!D.ran.length && !D.samples.cells.length) for (const [at, , n] of D.tables.at(-1).data.cells) busy[at] += n;
function ruler() {
  const c = $("ruler"), w = c.width = c.clientWidth * devicePixelRatio, h = c.height = c.clientHeight * devicePixelRatio, g = c.getContext("2d");
  const style = getComputedStyle(document.documentElement), isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const colour = name => { const [, light, dark] = /light-dark\((.*), (.*)\)/.exec(style.getPropertyValue(name)); return isDark ? dark : light; };
  const most = busy.reduce((a, b) => Math.max(a, b), 1);
  g.fillStyle = colour("--mark");
  g.fillRect(from / D.slots * w, 0, (to - from) / D.slots * w, h);
  g.fillStyle = colour("--busy");
  busy.forEach((n, at) => g.fillRect(at / D.slots * w, h - n / most * h, Math.max(1, w / D.slots - 1), n / most * h));
  const stop = Math.min(to * D.slot, D.length);
  $("range").textContent = `${(from * D.slot / 1e9).toFixed(2)} to ${(stop / 1e9).toFixed(2)} s` + (D.leftOut ? `; the stacks of ${D.leftOut} samples are not in this page` : "");
}
/** Shows the slots from `a` to before `b`. */
function narrow(a, b) { from = Math.max(0, Math.min(a, D.slots - 1)); to = Math.max(from + 1, Math.min(b, D.slots)); redraw(); }
const all = () => { root = ""; narrow(0, D.slots); };
let grip = null;
const at = e => Math.max(0, Math.min(D.slots - 1, Math.floor(e.offsetX / $("ruler").clientWidth * D.slots)));
$("ruler").onpointerdown = e => { grip = at(e); $("ruler").setPointerCapture(e.pointerId); };
$("ruler").onpointermove = e => { if (grip !== null) { from = Math.min(grip, at(e)); to = Math.max(grip, at(e)) + 1; ruler(); } };
$("ruler").onpointerup = () => { grip = null; redraw(); };
function moved(step, grow) {
  if (to - from === D.slots) narrow(0, Math.ceil(D.slots / 10));
  else if (grow) narrow(from, to + step);
  else if (from + step >= 0 && to + step <= D.slots) narrow(from + step, to + step);
}

// ---- tabs
const panels = TABS.map((name, i) => {
  const panel = el("div", { role: "tabpanel", id: "panel" + i, hidden: true, ariaLabel: name });
  $("panels").append(panel);
  const button = el("button", { role: "tab", id: "tab" + i, textContent: name, tabIndex: -1, onclick: () => open(i) });
  button.setAttribute("aria-controls", panel.id);
  $("tabs").append(button);
  return panel;
});
const report = el("pre", { id: "report" });
for (const [tone, line] of D.lines) report.append(el("span", { className: tone, textContent: line + "\n" }));
panels[0].append(report);
const draws = TABLES.map(spec => ({ at: TABS.indexOf(spec.tab), draw: table(spec, panels[TABS.indexOf(spec.tab)]) }));
const processor = TABS.indexOf("Processor");
panels[processor].append(el("h2", { textContent: "Flame graph, without idle" }), el("p", { id: "kinds" }), el("div", { id: "flame" }));
draws.push({ at: processor, draw: flame });

function redraw() { ruler(); for (const d of draws) if (d.at === tab) d.draw(); }
function open(i) {
  tab = (i + TABS.length) % TABS.length;
  panels.forEach((p, at) => p.hidden = at !== tab);
  [...$("tabs").children].forEach((b, at) => { b.ariaSelected = String(at === tab); b.tabIndex = at === tab ? 0 : -1; });
  redraw();
}
$("tabs").onkeydown = e => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
  if (step) { e.preventDefault(); e.stopPropagation(); open(tab + step); $("tab" + tab).focus(); }
};
document.onkeydown = e => {
  if (e.target.tagName === "INPUT") { if (e.key === "Escape") e.target.blur(); return; }
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
  if (e.key === "Escape") all();
  else if (step) { e.preventDefault(); moved(step, e.shiftKey); }
  else if (e.key === "/") { e.preventDefault(); panels[tab].querySelector("input")?.focus(); }
  else if (/^[0-9]$/.test(e.key) && +e.key <= TABS.length) open(+e.key === 0 ? 9 : +e.key - 1);
};
$("all").onclick = all;
addEventListener("resize", redraw);
document.title = "Report of " + D.file;
$("title").textContent = D.file;
open(0);
document.documentElement.dataset.ready = "yes";
