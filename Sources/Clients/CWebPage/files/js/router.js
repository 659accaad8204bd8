// Addresses in the fragment: `#/album/ID?sort=year`. Every view has one, so that links and the back button work.
import { signal } from "./signals.js";

/** @typedef {{path: string[], query: URLSearchParams, raw: string}} Route */

/**
 * @param {string} hash
 * @returns {Route}
 */
export function parse(hash) {
  const raw = hash.startsWith("#/") ? hash.slice(2) : "";
  const [path, query] = raw.split("?", 2);
  const parts = path.split("/").filter(Boolean).map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  return { path: parts, query: new URLSearchParams(query ?? ""), raw };
}

/**
 * A link to a view.
 * @param {string} view
 * @param {string | null} [id]
 * @param {{[name: string]: string}} [query]
 * @returns {string}
 */
export function link(view, id, query) {
  const tail = query ? `?${new URLSearchParams(query)}` : "";
  return `#/${view}${id === undefined || id === null ? "" : `/${encodeURIComponent(id)}`}${tail}`;
}

export const route = signal(parse(location.hash));
/** The name of the view that is shown. */
export const viewTitle = signal("");

/** How many views lie behind this one in this visit, so that "back" never leaves the page by accident. */
let depth = Number(history.state?.depth ?? 0);

/**
 * @param {string} target a fragment
 * @param {{replace?: boolean}} [options]
 */
export function go(target, options = {}) {
  if (target === location.hash) return;
  if (options.replace) {
    history.replaceState({ depth }, "", target);
  } else {
    history.pushState({ depth: depth + 1 }, "", target);
    depth++;
  }
  route.value = parse(location.hash);
}

/**
 * Goes back, or to another view where nothing lies behind.
 * @param {string} [otherwise]
 */
export function back(otherwise = "#/home") {
  if (depth > 0) history.back();
  else go(otherwise, { replace: true });
}

/** Starts following the address. */
export function followAddress() {
  addEventListener("popstate", (event) => {
    depth = Number(event.state?.depth ?? depth + 1);
    if (event.state === null) history.replaceState({ depth }, "");
    route.value = parse(location.hash);
  });
}

/** Remembers something of this view for when it is come back to. */
export function remember(/** @type {{[name: string]: any}} */ values) {
  history.replaceState({ ...history.state, depth, ...values }, "");
}
