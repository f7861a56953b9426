/** The search of the documentation. Its index is fetched when somebody first goes to the field, and nothing that is typed leaves the page. */

import MiniSearch from "./minisearch.js";

const MOST = 8;
const AROUND = 60;

const place = document.getElementById("search");
const up = place.dataset.up;
place.innerHTML = `<input type="search" role="combobox" aria-label="Search the documentation" aria-expanded="false" aria-controls="found"
  aria-autocomplete="list" autocomplete="off" spellcheck="false" placeholder="Search  /"><ul id="found" role="listbox" aria-label="Results" hidden></ul>
  <span role="status" class="skip"></span>`;
const [input, list, status] = place.children;

let index;
let chosen = -1;

/** The words of a text. A name such as `LIVERY_PORT` is a word, and its parts are words of the index, too. */
const wordsOf = (text) => text.match(/[\p{L}\p{N}_]+/gu) ?? [];
const wordsAndParts = (text) =>
  wordsOf(text).flatMap((word) => (word.includes("_") ? [word, ...word.split("_")] : [word]));

/** Fetches the sections of all pages, once. After a failure the next call tries again. */
function load() {
  index ??= fetch(`${up}search.json`)
    .then((answer) => answer.json())
    .then((sections) => {
      const search = new MiniSearch({
        fields: ["heading", "title", "text"],
        storeFields: ["url", "heading", "title", "text"],
        tokenize: wordsAndParts,
        searchOptions: { tokenize: wordsOf },
      });
      search.addAll(sections);
      return search;
    })
    .catch((error) => {
      index = undefined;
      throw error;
    });
  return index;
}

function element(name, text, className) {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

/** A piece of a text around the first of the terms, with all terms marked. */
function excerpt(text, terms) {
  const lower = text.toLowerCase();
  const longest = terms.filter((term) => lower.includes(term)).sort((a, b) => b.length - a.length)[0];
  const first = longest === undefined ? 0 : lower.indexOf(longest);
  const start = lower.lastIndexOf(" ", Math.max(0, first - AROUND)) + 1;
  const end = start + 3 * AROUND;
  const shown = end < text.length ? `${text.slice(start, text.lastIndexOf(" ", end))} …` : text.slice(start);
  const line = element("small", start ? "… " : "");
  const pattern = new RegExp(terms.map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|") || "$^", "gi");
  let passed = 0;
  for (const found of shown.matchAll(pattern)) {
    line.append(shown.slice(passed, found.index), element("mark", found[0]));
    passed = found.index + found[0].length;
  }
  line.append(shown.slice(passed));
  return line;
}

function choose(at) {
  const options = [...list.querySelectorAll("a")];
  chosen = options.length ? (at + options.length) % options.length : -1;
  for (const [number, option] of options.entries()) option.setAttribute("aria-selected", String(number === chosen));
  input.setAttribute("aria-activedescendant", options[chosen]?.id ?? "");
  options[chosen]?.scrollIntoView({ block: "nearest" });
}

function close() {
  list.hidden = true;
  input.setAttribute("aria-expanded", "false");
}

function show(rows, note) {
  list.replaceChildren(...rows);
  list.hidden = !rows.length && !note;
  if (note) list.append(Object.assign(element("li", note), { role: "presentation" }));
  status.textContent = note || `${rows.length} results`;
  input.setAttribute("aria-expanded", String(!list.hidden));
  choose(0);
}

async function search() {
  const query = input.value.trim();
  if (!query) return close();
  let found;
  try {
    found = (await load()).search(query, {
      prefix: true,
      fuzzy: (term) => term.length > 3 && 0.2,
      boost: { heading: 4, title: 2 },
      combineWith: "AND",
    });
  } catch {
    return show([], "The search can't be loaded. Check your network, and try again.");
  }
  if (query !== input.value.trim()) return;
  const rows = found.slice(0, MOST).map(({ url, heading, title, text, terms }, number) => {
    const link = Object.assign(element("a", ""), {
      href: up + url,
      id: `found-${number}`,
      role: "option",
      tabIndex: -1,
    });
    link.append(element("b", heading), element("i", heading === title ? "" : title), excerpt(text, terms));
    const row = Object.assign(element("li", ""), { role: "presentation" });
    row.append(link);
    return row;
  });
  show(rows, rows.length ? "" : `Nothing was found for “${query}”.`);
}

/** Opens the chosen result, also for somebody who types faster than results come. */
async function go() {
  if (list.hidden) await search();
  list.querySelectorAll("a")[chosen]?.click();
}

input.addEventListener("focus", () => void load().catch(() => undefined));
input.addEventListener("input", search);
input.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown") choose(chosen + 1);
  else if (event.key === "ArrowUp") choose(chosen - 1);
  else if (event.key === "Enter") go();
  else if (event.key === "Escape") close();
  else return;
  event.preventDefault();
});
place.addEventListener("focusout", ({ relatedTarget }) => place.contains(relatedTarget) || close());
list.addEventListener("mousedown", (event) => event.preventDefault());
list.addEventListener("click", close);
document.addEventListener("keydown", (event) => {
  if (
    event.key !== "/" ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    /INPUT|TEXTAREA/.test(event.target.tagName)
  )
    return;
  event.preventDefault();
  input.focus();
});
