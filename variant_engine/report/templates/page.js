"use strict";
// Folds the reasoning away until it is asked for, filters rows, and carries the keyboard's focus there and back.
// Without this the page shows everything.
(() => {
  const root = document.documentElement;
  const form = document.getElementById("filters");
  root.classList.add("js");
  let cameFrom = null;
  let openRows = [];

  const fold = (row, open) => {
    openRows = openRows.filter((other) => other !== row);
    if (open) openRows.push(row);
    const more = row.nextElementSibling;
    more.classList.toggle("opened", open);
    more.querySelector("details").open = open;
    row.classList.toggle("opened", open);
    row.querySelector("th a.open").setAttribute("aria-expanded", String(open));
  };

  const rowOf = (target) => {
    const more = target.closest("tr.more");
    return more ? more.previousElementSibling : target.closest("tr.row");
  };

  // Shows whatever an address within the page names: its row, and every fold around it.
  const reveal = (id) => {
    const target = id && document.getElementById(id);
    if (!target) return false;
    const row = rowOf(target);
    if (row && row.hidden) {
      form.elements.rows.value = row.dataset.difference === "none" ? "all" : "differing";
      for (const name of ["chapter", "difference", "effect", "status", "words"]) {
        if (form.elements[name]) form.elements[name].value = "";
      }
      filter();
    }
    if (row) fold(row, true);
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    for (const old of document.querySelectorAll(".active")) old.classList.remove("active");
    target.classList.add("active");
    if (!target.hasAttribute("tabindex")) target.setAttribute("tabindex", "-1");
    target.focus({ preventScroll: true });
    target.scrollIntoView({ block: row && target === row ? "start" : "nearest" });
    return true;
  };

  for (const row of document.querySelectorAll("tr.row")) {
    row.querySelector("th a.open").setAttribute("aria-expanded", "false");
    const close = document.createElement("button");
    close.type = "button";
    close.className = "close";
    close.textContent = "Close";
    close.setAttribute("aria-label", "Close the reasoning on " + row.id);
    close.addEventListener("click", () => back(row));
    const details = row.nextElementSibling.querySelector("details");
    details.append(close);
    details.addEventListener("toggle", (event) => {
      if (event.target === details && !details.open) fold(row, false);
    });
  }

  const back = (row) => {
    fold(row, false);
    const to = cameFrom && row.contains(cameFrom) ? cameFrom : row.querySelector("th a.open");
    to.focus();
    for (const old of document.querySelectorAll(".active")) old.classList.remove("active");
  };

  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const id = decodeURIComponent(link.getAttribute("href").slice(1));
    const row = link.closest("tr.row");
    if (row && link.parentElement.tagName === "TH" && row.classList.contains("opened")) {
      event.preventDefault();
      back(row);
      return;
    }
    if (row) cameFrom = link;
    if (reveal(id)) {
      event.preventDefault();
      history.replaceState(null, "", "#" + id);
    }
  });

  // Escape closes the reasoning that has the focus, or else the one opened last of those that are still open.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const more = event.target.closest("tr.more");
    const row = more ? more.previousElementSibling : openRows.filter((one) => !one.hidden).pop();
    if (row) back(row);
  });

  // ---- the filter -----------------------------------------------------------------------------------------------

  const rows = Array.from(document.querySelectorAll("tr.row"));
  const said = new Map();
  const textOf = (row) => {
    if (!said.has(row)) said.set(row, (row.textContent + " " + row.nextElementSibling.textContent).toLowerCase());
    return said.get(row);
  };

  function filter() {
    const value = (name) => (form.elements[name] ? form.elements[name].value : "");
    const words = value("words").toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (row) =>
      (value("rows") === "all" || row.dataset.difference !== "none") &&
      (!value("chapter") || row.parentElement.dataset.chapter === value("chapter")) &&
      (!value("difference") || row.dataset.difference === value("difference")) &&
      (!value("effect") || row.dataset.effect === value("effect")) &&
      (!value("status") || row.dataset.status.split(" ").includes(value("status"))) &&
      words.every((word) => textOf(row).includes(word));
    let shown = 0;
    for (const row of rows) {
      row.hidden = !fits(row);
      row.nextElementSibling.hidden = row.hidden;
      if (!row.hidden) shown += 1;
    }
    for (const body of document.querySelectorAll(".matrix tbody")) {
      body.hidden = !body.querySelector("tr.row:not([hidden])");
    }
    document.getElementById("shown").textContent = shown + " of " + rows.length + " rows are shown";
    document.getElementById("nothing").hidden = shown > 0;
  }

  if (form) {
    form.hidden = false;
    form.addEventListener("input", filter);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(filter));
    document.querySelector("#nothing button").addEventListener("click", () => {
      form.reset();
      form.elements.words.focus();
    });
    filter();
    if (location.hash) reveal(decodeURIComponent(location.hash.slice(1)));
    window.addEventListener("hashchange", () => reveal(decodeURIComponent(location.hash.slice(1))));
  }
})();
