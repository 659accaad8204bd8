// Elements without markup: text from tags, servers and people is only ever text.
import { effect, onEnd, scope, signal, untracked } from "./signals.js";

/** @typedef {Node | string | number | null | undefined | false | (() => any) | any[]} Child what a function returns is a Child, too */
/** @typedef {{[name: string]: any}} Attributes */

const SVG = "http://www.w3.org/2000/svg";
const PROPERTIES = new Set(["value", "checked", "disabled", "hidden", "indeterminate", "open", "inert"]);

/**
 * @param {any} element
 * @param {string} name
 * @param {any} value
 */
function set(element, name, value) {
  if (name === "style") {
    for (const [key, part] of Object.entries(value)) {
      if (typeof part === "function") effect(() => element.style.setProperty(key, String(part())));
      else element.style.setProperty(key, String(part));
    }
  } else if (PROPERTIES.has(name)) {
    element[name] = value ?? (name === "value" ? "" : false);
  } else if (value === false || value === null || value === undefined) {
    element.removeAttribute(name);
  } else {
    element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * @param {Child} child
 * @returns {Node[]}
 */
function nodes(child) {
  if (child === null || child === undefined || child === false) return [];
  if (Array.isArray(child)) return child.flatMap(nodes);
  if (typeof child === "function") return [follow(child)];
  return [child instanceof Node ? child : document.createTextNode(String(child))];
}

/**
 * A place whose content follows a function.
 * @param {() => Child} content
 * @returns {Node}
 */
function follow(content) {
  const end = document.createTextNode("");
  const holder = document.createDocumentFragment();
  holder.append(end);
  /** @type {Node[]} */
  let shown = [];
  effect(() => {
    const next = content();
    const last = shown[0];
    if (shown.length === 1 && last instanceof Text && (typeof next === "string" || typeof next === "number")) {
      last.data = String(next);
      return;
    }
    for (const node of shown) /** @type {ChildNode} */ (node).remove();
    const fresh = nodes(next);
    // A fragment's children move out of it; they, not the fragment, are what a redraw takes away.
    shown = fresh.flatMap((node) => (node instanceof DocumentFragment ? [...node.childNodes] : [node]));
    end.before(...fresh);
  });
  return holder;
}

/**
 * Makes an element: `h("button.primary", {onclick, "aria-label": () => words()}, "Play")`. Functions are followed.
 * @param {string} tag name and classes
 * @param {Attributes | null} [attributes]
 * @param {...Child} children
 * @returns {any}
 */
export function h(tag, attributes, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  if (classes.length > 0) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (key.startsWith("on")) {
      element.addEventListener(key.slice(2), value);
    } else if (key === "class") {
      for (const [label, on] of Object.entries(value)) {
        if (typeof on === "function") effect(() => element.classList.toggle(label, !!on()));
        else element.classList.toggle(label, !!on);
      }
    } else if (typeof value === "function") {
      effect(() => set(element, key, value()));
    } else {
      set(element, key, value);
    }
  }
  element.append(...children.flatMap(nodes));
  return element;
}

/**
 * Makes an element of SVG.
 * @param {string} name
 * @param {{[name: string]: string | number}} attributes
 * @param {...Node} children
 * @returns {SVGElement}
 */
export function svg(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/**
 * Keeps a row for each value of a list, known by its key: rows move and change, and are not drawn anew, so that a
 * slider that is held or a field with the keyboard's focus stays as it is.
 * @template T
 * @param {HTMLElement} parent
 * @param {() => T[]} list
 * @param {(value: T) => string} key
 * @param {(value: import("./signals.js").Signal<T>) => HTMLElement} render
 * @returns {HTMLElement}
 */
export function each(parent, list, key, render) {
  /** @type {Map<string, {element: HTMLElement, value: import("./signals.js").Signal<T>, end: () => void}>} */
  let rows = new Map();
  const place = keptScope();
  effect(() => {
    const next = new Map();
    for (const value of list()) {
      const id = key(value);
      const row = rows.get(id) ?? place(() => {
        const held = signal(value);
        return { element: render(held), value: held };
      });
      row.value.value = value;
      rows.delete(id);
      next.set(id, row);
    }
    for (const row of rows.values()) {
      row.end();
      row.element.remove();
    }
    rows = next;
    let before = parent.firstElementChild;
    for (const row of rows.values()) {
      if (row.element === before) before = before.nextElementSibling;
      else parent.insertBefore(row.element, before);
    }
  });
  return parent;
}


/** Scopes that end one by one, or all with the place where this was called. */
function keptScope() {
  /** @type {Set<() => void>} */
  const ends = new Set();
  onEnd(() => ends.forEach((end) => end()));
  return (/** @type {() => any} */ work) => {
    const [made, stop] = untracked(() => scope(work));
    const end = () => {
      ends.delete(end);
      stop();
    };
    ends.add(end);
    return { ...made, end };
  };
}

/**
 * Shows a text in the node that is there already, which spares a long list much work.
 * @param {HTMLElement} element
 * @param {string} text
 */
export function write(element, text) {
  const node = element.firstChild;
  if (node instanceof Text) node.data = text;
  else element.textContent = text;
}

/**
 * Whether a person asked for less motion.
 * @returns {boolean}
 */
export function isStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * Whether keys that are pressed now are words that somebody types.
 * @param {EventTarget | null} target
 * @returns {boolean}
 */
export function isTyping(target) {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
    && !(target instanceof HTMLInputElement && /^(range|checkbox|button|radio)$/.test(target.type));
}

/** How long a list has to rest before pictures are put in, in milliseconds. */
const CALM = 100;
let isCalm = true;
let calmer = 0;
/** @type {Set<() => void>} */
const untilCalm = new Set();

/** Told by lists that rush by: nobody can look at a picture then, and each costs a frame its time. */
export function rush() {
  isCalm = false;
  clearTimeout(calmer);
  calmer = setTimeout(() => {
    isCalm = true;
    const works = [...untilCalm];
    untilCalm.clear();
    for (const work of works) work();
  }, CALM);
}

/** Runs `work` now, or once lists rest. @param {() => void} work */
export const whenCalm = (work) => void (isCalm ? work() : untilCalm.add(work));
