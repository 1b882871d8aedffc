// Filter and sort of the heat map. The page is whole without it.
(function () {
  "use strict";
  const table = document.getElementById("map");
  if (table) {
    const body = table.tBodies[0];
    const rows = Array.from(body.rows);
    const find = document.getElementById("find");
    const state = document.getElementById("state");
    const show = document.getElementById("show");
    const count = document.getElementById("count");
    const articles = Array.from(document.querySelectorAll("article.operator"));

    const tests = {
      "": function () { return true; },
      operator: function (r) { return r.dataset.kind === "operator"; },
      finding: function (r) { return r.dataset.worst === "critical" || r.dataset.worst === "warning"; },
      claim: function (r) { return Number(r.dataset.claim) > Math.floor(Number(r.dataset.level) / 10); },
      refuted: function (r) { return r.querySelector(".cell-refuted") !== null; },
      unknown: function (r) { return r.querySelector(".cell-unknown") !== null; },
    };
    const filter = function () {
      const word = find.value.trim().toLowerCase();
      const shown = rows.filter(function (r) {
        const ok = r.dataset.name.toLowerCase().includes(word) && (!state.value || r.dataset.state === state.value) && tests[show.value](r);
        r.hidden = !ok;
        return ok;
      });
      count.textContent = shown.length === rows.length ? rows.length + " rows" : shown.length + " of " + rows.length + " rows";
      const places = new Set(shown.map(function (r) { const a = r.querySelector("th a"); return a ? a.hash.slice(1) : ""; }));
      articles.forEach(function (a) { a.hidden = !places.has(a.id); });
    };
    Array.from(new Set(rows.map(function (r) { return r.dataset.state; }))).sort().forEach(function (s) {
      if (s) { state.add(new Option(s, s)); }
    });
    [find, state, show].forEach(function (e) { e.addEventListener("input", filter); });
    const form = document.getElementById("controls");
    form.addEventListener("submit", function (e) { e.preventDefault(); });
    form.hidden = false;

    const key = function (row, i) {
      const cell = row.cells[i];
      return cell.dataset.sort === undefined ? cell.textContent.trim().toLowerCase() : Number(cell.dataset.sort);
    };
    const heads = Array.from(table.tHead.rows[0].cells);
    heads.forEach(function (head, i) {
      const button = document.createElement("button");
      button.type = "button";
      while (head.firstChild) { button.appendChild(head.firstChild); }
      head.appendChild(button);
      button.addEventListener("click", function () {
        const numbers = rows[0].cells[i].dataset.sort !== undefined;
        const before = head.getAttribute("aria-sort");
        const down = numbers ? before !== "descending" : before === "ascending"; // numbers begin with the greatest
        heads.forEach(function (h) { h.removeAttribute("aria-sort"); });
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const order = rows.slice().sort(function (a, b) {
          const x = key(a, i), y = key(b, i);
          return (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1);
        });
        order.forEach(function (r) { body.appendChild(r); });
      });
    });
    filter();
  }
  const folds = document.querySelectorAll("details");
  let opened = [];
  window.addEventListener("beforeprint", function () {
    opened = Array.from(folds).filter(function (d) { return !d.open; });
    opened.forEach(function (d) { d.open = true; });
  });
  window.addEventListener("afterprint", function () { opened.forEach(function (d) { d.open = false; }); });
})();
