/** @module What the API reference does in the browser: takes over the app's theme, and finds operations as one types. Without it everything is still there to be read. */

export const apiReferenceScript = `"use strict";
const theme = /(?:^|; )fettle_theme=(light|dark)/.exec(document.cookie)?.[1];
if (theme) document.documentElement.dataset.theme = theme;
addEventListener("DOMContentLoaded", () => {
  const search = document.querySelector(".search");
  const input = search.querySelector("input");
  const told = search.querySelector("[role=status]");
  const groups = [...document.querySelectorAll("nav details")].map((group) => ({
    group,
    rows: [...group.querySelectorAll("li")].map((row) => ({ row, text: textOf(row) })),
  }));
  search.hidden = false;
  input.addEventListener("input", find);
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target.closest("input")) return;
    event.preventDefault();
    input.focus();
  });
  find();

  function textOf(row) {
    const id = row.querySelector("a").hash.slice(1);
    const section = document.getElementById(id)?.querySelector("header");
    return (row.textContent + " " + (section ? section.textContent : "")).toLowerCase();
  }

  function find() {
    const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let found = 0;
    for (const { group, rows } of groups) {
      let here = 0;
      for (const { row, text } of rows) {
        row.hidden = !words.every((word) => text.includes(word));
        if (!row.hidden) here += 1;
      }
      group.hidden = here === 0;
      if (words.length > 0) group.open = here > 0;
      found += here;
    }
    told.textContent = words.length === 0 ? "" : found === 0 ? "Nothing matches." : found + " found";
  }
});
`;
