// Put into a flame graph by the test: does what a reader does, and leaves what was seen in the document.
window.addEventListener("load", function () {
  var root = document.documentElement, info = root.querySelector("#info"), seen = {};
  var boxes = Array.from(root.querySelectorAll("g.f"));
  function click(element) { element.dispatchEvent(new MouseEvent("click", { bubbles: true })); }
  function width(g) { return Number(g.querySelector("rect").getAttribute("width")); }
  function shown() { return boxes.filter(function (g) { return g.style.display !== "none"; }).length; }
  seen.boxes = boxes.length;
  seen.drawn = boxes.every(function (g) { return g.getBoundingClientRect().width > 0; });
  var narrow = boxes.filter(function (g) { return Number(g.dataset.d) > 1; })
    .sort(function (a, b) { return width(a) - width(b); })[0];
  narrow.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
  seen.hover = info.textContent === narrow.querySelector("title").textContent && info.textContent.length > 3;
  var before = width(narrow);
  click(narrow);
  seen.zoomed = width(narrow) / before;
  seen.whole = width(narrow) > 0.95 * (root.viewBox.baseVal.width - 16);
  seen.hidden = shown() < boxes.length;
  var address = location.hash;
  seen.address = address === "#zoom=" + [narrow.dataset.s, narrow.dataset.w, narrow.dataset.d].join(",");
  click(root.querySelector("#reset"));
  seen.back = Math.abs(width(narrow) - before) < 0.01 && shown() === boxes.length && location.hash === "";
  location.hash = address;
  window.dispatchEvent(new Event("hashchange"));
  seen.recalled = width(narrow) > 0.95 * (root.viewBox.baseVal.width - 16);
  location.hash = "#zoom=1," + (Number(root.dataset.total) + 1) + ",0";
  window.dispatchEvent(new Event("hashchange"));
  seen.nonsense = Math.abs(width(narrow) - before) < 0.01;
  var name = narrow.querySelector("title").textContent.replace(/ \([^()]*\)$/, "");
  window.prompt = function () { return name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"); };
  click(root.querySelector("#search"));
  seen.hits = root.querySelectorAll("g.f.hit").length;
  seen.found = /match/.test(info.textContent) && narrow.classList.contains("hit");
  window.prompt = function () { return "no such name anywhere"; };
  click(root.querySelector("#search"));
  seen.none = root.querySelectorAll("g.f.hit").length === 0;
  seen.title = document.title === "sample.etl";
  // Keys are above all boxes, beside their names, and in no other key's place.
  var keys = Array.from(root.querySelectorAll("rect.key")), right = 0;
  var highest = Math.min.apply(null, boxes.map(function (g) { return g.getBoundingClientRect().top; }));
  seen.legend = keys.length > 2 && keys.every(function (key) {
    var place = key.getBoundingClientRect(), name = key.nextElementSibling.getBoundingClientRect();
    var fits = place.left >= right && name.left > place.right && Math.max(place.bottom, name.bottom) <= highest;
    right = name.right;
    return fits;
  });
  click(root.querySelector("#reset"));
  seen.reset = info.textContent === root.dataset.whole && /^[\d,]+ events/.test(info.textContent);
  root.setAttribute("data-seen", JSON.stringify(seen));
});
