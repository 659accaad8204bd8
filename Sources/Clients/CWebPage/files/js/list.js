// A list of any length of which only what is in sight exists: rows of one height, recycled and moved by transforms.
import { h, rush } from "./dom.js";
import { effect, onEnd, scope, signal, untracked } from "./signals.js";

/**
 * @typedef {{element: HTMLElement, update: (item: any, index: number) => void}} Cell
 * @typedef {{total: import("./signals.js").Signal<number | null>, changed: import("./signals.js").Signal<number>,
 *   get: (index: number) => any, need: (from: number, to: number) => void}} Source
 * @typedef {{source: Source, label: string, render: () => Cell, row: number,
 *   grid?: {least: number, gap: number, below: number}, scrolled?: number}} Setting
 */

/** Browsers stop at about 17 million pixels; longer lists scroll faster than the finger. */
const TALLEST = 12_000_000;
/** How far beyond the window rows are drawn, in pixels: four of a list, one of tiles. */
const BEYOND = 256;
/** From so many pixels a frame on a list rushes by. */
const FAST = 40;
/** How long nothing new may have come into sight before the rows are put in order, in milliseconds. */
const AT_REST = 120;

/** @param {HTMLElement} element @returns {HTMLElement} */
const scrollerOf = (element) => element.closest(".scroll") ?? document.documentElement;

/**
 * Makes the list. `render` makes a row once; its `update` shows an item, or a skeleton while the item is undefined.
 * @param {Setting} setting
 */
export function virtualList(setting) {
  const { source, grid } = setting;
  const element = h("div.list", { role: "list", "aria-label": setting.label });
  const visible = signal({ first: 0, last: 0 });
  /** @type {Map<number, Cell & {item: any, total: number, end: () => void}>} */
  const shown = new Map();
  /** @type {(Cell & {item: any, total: number, end: () => void})[]} */
  const spare = [];
  /** @type {HTMLElement} */
  let scroller = document.documentElement;
  let [columns, width, height, offset, viewport] = [1, 0, setting.row, 0, 0];
  let total = 0;
  let factor = 1;
  let frame = 0;
  let order = 0;
  let isStale = false;
  let last = NaN;

  const measure = () => {
    if (!element.isConnected) return;
    scroller = scrollerOf(element);
    const available = element.clientWidth;
    if (available === 0) return;
    viewport = scroller.clientHeight;
    columns = grid ? Math.max(2, Math.floor((available + grid.gap) / (grid.least + grid.gap))) : 1;
    width = grid ? (available - grid.gap * (columns - 1)) / columns : available;
    height = grid ? Math.round(width + grid.below) : setting.row;
    offset = element.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
    const whole = Math.ceil(total / columns) * height;
    const physical = Math.min(TALLEST, whole);
    factor = whole > physical ? (whole - viewport) / (physical - viewport) : 1;
    element.style.height = `${physical}px`;
    if (grid) {
      element.style.setProperty("--cell", `${width}px`);
      element.style.setProperty("--cell-height", `${height - grid.gap}px`);
    }
    for (const [index, cell] of shown) place(cell, index);
    isStale = false;
    draw();
  };

  /** How far the list itself is scrolled, as if it had its whole height. */
  const top = () => Math.max(0, scroller.scrollTop - offset) * factor;

  /** Where a row stands in the list, in pixels. @param {number} index */
  const topOf = (index) => Math.floor(index / columns) * height - (factor === 1 ? 0 : top() - top() / factor);

  /** @param {Cell} cell @param {number} index */
  const place = (cell, index) => {
    const y = topOf(index);
    const x = (index % columns) * (width + (grid?.gap ?? 0));
    cell.element.style.transform = `translate(${document.dir === "rtl" ? -x : x}px, ${y}px)`;
  };

  const make = () => {
    const [cell, end] = untracked(() => scope(setting.render));
    cell.element.classList.add("cell");
    return { ...cell, item: null, total: -1, end };
  };

  const draw = () => {
    frame = 0;
    // At the frame's beginning nothing has changed yet, so that looking at sizes costs no layout of its own.
    if (isStale) return measure();
    if (viewport === 0 || !element.isConnected) return;
    const start = top();
    if (Math.abs(start - last) > FAST) rush();
    last = start;
    const above = Math.max(0, Math.floor(start / height));
    const below = Math.floor((start + viewport - Math.max(0, offset - scroller.scrollTop)) / height);
    const beyond = Math.max(1, Math.round(BEYOND / height));
    const first = Math.max(0, (above - beyond) * columns);
    // Always the same number, so that no row comes or goes while one leaves as another comes into sight.
    const rows = Math.ceil(viewport / height) + 1 + 2 * beyond;
    const final = Math.min(total - 1, first + rows * columns - 1);
    const focused = document.activeElement;
    for (const [index, cell] of shown) {
      // What the keyboard is in stays, or the focus would be lost.
      if ((index < first || index > final) && (index >= total || !cell.element.contains(focused))) {
        shown.delete(index);
        spare.push(cell);
      }
    }
    source.need(above * columns, Math.min(Math.max(0, total - 1), (below + 1) * columns - 1));
    for (let index = first; index <= final; index++) show(index);
    for (const cell of spare) if (cell.element.parentNode) cell.element.remove();
    if (spare.length > 60) for (const cell of spare.splice(60)) cell.end();
    const [from, to] = [above * columns, Math.min(total - 1, (below + 1) * columns - 1)];
    const seen = visible.peek();
    if (seen.first !== from || seen.last !== to) visible.value = { first: from, last: to };
  };

  /** @param {number} index */
  const show = (index) => {
    let cell = shown.get(index);
    const isNew = !cell;
    if (!cell) {
      cell = spare.pop() ?? make();
      shown.set(index, cell);
    }
    const item = source.get(index);
    if (isNew || cell.item !== item) {
      cell.item = item;
      cell.element.dataset.index = String(index);
      cell.element.setAttribute("aria-posinset", String(index + 1));
      // A row without content yet is nothing that one could press or read.
      if (cell.element.inert !== (item === undefined)) cell.element.inert = item === undefined;
      cell.update(item, index);
    }
    if (cell.total !== total) {
      cell.total = total;
      cell.element.setAttribute("aria-setsize", String(total));
    }
    if (isNew || factor !== 1) place(cell, index);
    if (cell.element.parentNode !== element) element.append(cell.element);
    if (isNew) {
      clearTimeout(order);
      order = setTimeout(sort, AT_REST);
    }
  };

  /**
   * Brings the rows into their order, so that Tab and screen readers go through them as they are seen. Only at rest: a
   * row that is taken out and put in elsewhere costs a frame as much as a new one.
   */
  const sort = () => {
    const focused = document.activeElement;
    let at = element.firstElementChild;
    for (const index of [...shown.keys()].sort((one, other) => one - other)) {
      const row = /** @type {Cell} */ (shown.get(index)).element;
      if (row === at) at = at.nextElementSibling;
      // Taking out the row with the focus would lose that.
      else if (!row.contains(focused)) element.insertBefore(row, at);
    }
  };

  const later = () => {
    if (frame === 0) frame = requestAnimationFrame(draw);
  };

  /**
   * Scrolls to an item.
   * @param {number} index
   * @param {"start" | "center" | "nearest"} [where]
   */
  const scrollTo = (index, where = "center") => {
    measure();
    const y = Math.floor(index / columns) * height;
    const room = Math.max(0, viewport - height);
    const isInSight = y >= top() && y <= top() + room;
    if (where === "nearest" && isInSight) return;
    const wanted = where === "center" ? y - room / 2.5 : y;
    scroller.scrollTop = Math.max(0, wanted) / factor + (wanted > 0 || where === "start" ? offset : 0)
      - (where === "start" ? 8 : 0);
    draw();
  };

  /** Moves the keyboard's focus to a row, wherever that is. */
  const focus = (/** @type {number} */ index) => {
    if (index < 0 || index >= total) return;
    scrollTo(index, "nearest");
    const target = shown.get(index)?.element.querySelector("[data-main]");
    if (target instanceof HTMLElement) target.focus({ preventScroll: false });
  };

  element.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const row = event.target instanceof Element ? event.target.closest(".cell") : null;
    if (!(row instanceof HTMLElement) || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target instanceof HTMLInputElement) return;
    const page = Math.max(1, Math.floor(viewport / height) - 1) * columns;
    const sideways = columns > 1 ? 1 : 0;
    const step = /** @type {{[key: string]: number}} */ ({
      ArrowDown: columns, ArrowUp: -columns, PageDown: page, PageUp: -page, Home: -total, End: total,
      ArrowRight: sideways, ArrowLeft: -sideways,
    })[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    focus(Math.max(0, Math.min(total - 1, Number(row.dataset.index) + step)));
  });

  let restore = setting.scrolled ?? 0;
  effect(() => {
    const before = total;
    total = source.total.value ?? 0;
    source.changed.value;
    // What stands above the list may have changed with it, too.
    isStale = true;
    if (total !== before) measure();
    else later();
    if (total > 0 && restore > 0 && scroller.scrollHeight > viewport) {
      scroller.scrollTop = restore;
      restore = 0;
    }
  });

  const sizes = new ResizeObserver(measure);
  /** @type {HTMLElement | null} */
  let attached = null;
  // The list is made before it is in the page; its first size is the moment to look where it is.
  const attach = () => {
    if (attached || !element.isConnected) return;
    attached = scrollerOf(element);
    attached.addEventListener("scroll", later, { passive: true });
    sizes.observe(attached);
    if (element.parentElement) sizes.observe(element.parentElement);
    measure();
    if (restore > 0 && total > 0) {
      scroller.scrollTop = restore;
      restore = 0;
    }
  };
  requestAnimationFrame(attach);
  source.need(0, 0);
  onEnd(() => {
    attached?.removeEventListener("scroll", later);
    sizes.disconnect();
    cancelAnimationFrame(frame);
    clearTimeout(order);
    for (const cell of [...shown.values(), ...spare]) cell.end();
  });

  return {
    element, visible, scrollTo, focus, topOf,
    /** Draws anew where items were replaced in place. */
    refresh: () => {
      for (const cell of shown.values()) cell.item = null;
      later();
    },
    /** Attaches now, for callers that put the list into the page and scroll at once. */
    settle: attach,
    /** The height of a row in pixels. */
    rowHeight: () => height,
    scroller: () => scroller,
    /** The index at a height of the screen. @param {number} y */
    indexAt: (y) => {
      const inside = y - scroller.getBoundingClientRect().top - Math.max(0, offset - scroller.scrollTop);
      return Math.max(0, Math.min(total - 1, Math.floor((top() + inside) / height) * columns));
    },
  };
}
