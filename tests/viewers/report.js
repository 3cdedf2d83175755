// Put into the page of a report by the test: does what a reader does, and leaves what was seen in the document.
(function () {
  "use strict";
  const seen = { wrong: [] };
  const check = (is, what) => { if (!is) seen.wrong.push(what); };
  const key = (on, name, more) => on.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true, ...more }));
  const tabs = () => [...document.querySelectorAll("[role=tab]")];
  const shown = () => [...document.querySelectorAll("[role=tabpanel]")].filter(p => !p.hidden);
  const sections = () => [...shown()[0].querySelectorAll("section")];
  const rowsOf = s => [...s.querySelectorAll("tbody tr")].map(r => [...r.children].map(c => c.textContent));
  const heads = s => [...s.querySelectorAll("th")];
  const number = text => Number(text.replaceAll(",", ""));

  // Every table with all of its rows.
  function read() {
    const tables = {};
    for (const tab of tabs()) {
      tab.click();
      check(shown().length === 1 && tab.ariaSelected === "true", "tab " + tab.textContent);
      for (const s of sections()) {
        for (let more, times = 0; (more = s.querySelector(".more button")) && times < 1000; times++) more.click();
        tables[s.dataset.table] = { columns: heads(s).map(h => h.textContent), rows: rowsOf(s), note: s.querySelector(".more").textContent };
      }
    }
    return tables;
  }

  // Sorting by each heading, by mouse and by keyboard, and filtering.
  function sortAndFilter() {
    seen.sorted = seen.filtered = 0;
    for (const tab of tabs()) {
      tab.click();
      for (const s of sections()) {
        heads(s).forEach((head, at) => {
          for (const how of ["mouse", "keyboard"]) {
            if (how === "mouse") head.click(); else key(head, "Enter");
            const down = head.ariaSort === "descending", values = rowsOf(s).map(r => r[at]).filter(v => v && v !== "before" && v !== "later");
            const isNumber = head.classList.contains("n");
            const is = (a, b) => isNumber ? number(a) <= number(b) : a <= b;
            check(values.every((v, i) => i === 0 || (down ? is(v, values[i - 1]) : is(values[i - 1], v))), `${s.dataset.table} by ${head.textContent}, ${how}`);
            seen.sorted += values.length > 1;
          }
        });
        const rows = rowsOf(s), filter = s.querySelector("input");
        if (!rows.length) continue;
        const word = rows[0].map(v => v.split("\n")[0]).reduce((a, b) => b.length > a.length ? b : a);
        filter.value = word;
        filter.dispatchEvent(new Event("input"));
        const left = rowsOf(s);
        check(left.length > 0 && left.every(r => r.some(v => v.toLowerCase().includes(word.toLowerCase()))), `filter of ${s.dataset.table} by ${word}`);
        filter.value = "no such word anywhere";
        filter.dispatchEvent(new Event("input"));
        check(rowsOf(s).length === 0, "filter without result of " + s.dataset.table);
        filter.value = "";
        filter.dispatchEvent(new Event("input"));
        check(rowsOf(s).length === rows.length, "filter is gone of " + s.dataset.table);
        seen.filtered++;
      }
    }
  }

  // Tabs, filters and the ruler by keyboard.
  function keys() {
    key(document.body, "2");
    check(tabs()[1].ariaSelected === "true", "key 2");
    tabs()[1].focus();
    key(tabs()[1], "ArrowRight");
    check(tabs()[2].ariaSelected === "true" && document.activeElement === tabs()[2], "arrow to the next tab");
    key(document.body, "2");
    key(document.body, "/");
    check(document.activeElement.tagName === "INPUT", "key /");
    key(document.activeElement, "Escape");
    check(document.activeElement.tagName !== "INPUT", "Escape leaves the filter");
    const range = () => document.getElementById("range").textContent, all = range();
    key(document.body, "ArrowRight");
    const part = range();
    key(document.body, "ArrowRight");
    const moved = range();
    key(document.body, "ArrowRight", { shiftKey: true });
    const grown = range();
    check(new Set([all, part, moved, grown]).size === 4, `arrows: ${all}, ${part}, ${moved}, ${grown}`);
    key(document.body, "Escape");
    check(range() === all, "Escape shows all");
  }

  // Drags over a part of the ruler.
  function drag(a, b) {
    const ruler = document.getElementById("ruler"), box = ruler.getBoundingClientRect();
    ruler.setPointerCapture = () => {};
    const at = part => ({ clientX: box.left + 1 + part * (box.width - 2), clientY: box.top + 5, bubbles: true });
    ruler.dispatchEvent(new PointerEvent("pointerdown", at(a)));
    ruler.dispatchEvent(new PointerEvent("pointermove", at(b)));
    ruler.dispatchEvent(new PointerEvent("pointerup", at(b)));
  }

  // A function's callers and callees.
  function choose() {
    tabs()[1].click();
    const of = name => sections().find(s => s.dataset.table === name);
    const button = of("By function").querySelector("td button");
    if (!button) return null;
    button.click();
    const row = rowsOf(of("By function")).find(r => r[0] === button.textContent);
    return { name: row[0], own: number(row[1]), all: number(row[2]), callers: rowsOf(of("Callers")), callees: rowsOf(of("Callees")) };
  }

  try {
    const begun = performance.now(), lap = what => { seen.times[what] = Math.round(performance.now() - begun); };
    seen.times = {};
    keys();
    lap("keys");
    sortAndFilter();
    lap("sort");
    seen.whole = read();
    lap("whole");
    seen.chosen = choose();
    drag(0.2, 0.6);
    seen.part = [from * D.slot, to === D.slots ? null : to * D.slot];
    seen.parts = read();
    lap("parts");
    tabs()[1].click();
    seen.boxes = document.querySelectorAll("#flame div").length;
    document.getElementById("all").click();
    check(from === 0 && to === D.slots, "all of the time");
  } catch (error) {
    seen.wrong.push(String(error.stack));
  }
  document.documentElement.dataset.seen = JSON.stringify(seen);
})();
