// Fingers: a finger scrolls, a clear sideways stroke swipes, and only a handle or a long press drags.
import { isStill } from "./dom.js";

const START = 10;
const RATIO = 2;
const LONG = 420;

/**
 * Whether a stroke has become a swipe: far enough, and clearly sideways.
 * @param {number} dx
 * @param {number} dy
 * @returns {"yes" | "no" | "wait"}
 */
export function judge(dx, dy) {
  if (Math.abs(dy) > START && Math.abs(dy) * RATIO > Math.abs(dx)) return "no";
  if (Math.abs(dx) > START && Math.abs(dx) > Math.abs(dy) * RATIO) return "yes";
  return Math.hypot(dx, dy) > START * 3 ? "no" : "wait";
}

/**
 * Sideways swipes on the rows of a list. The row follows the finger and runs `left` or `right` past a third.
 * @param {HTMLElement} list
 * @param {{left?: (index: number) => void, right?: (index: number) => void, isOff?: () => boolean}} does
 */
export function swipeRows(list, does) {
  /** @type {{row: HTMLElement, content: HTMLElement, x: number, y: number, id: number, on: boolean, dx: number} | null} */
  let stroke = null;

  list.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse" || !event.isPrimary || does.isOff?.()) return;
    const target = /** @type {HTMLElement} */ (event.target);
    const row = target.closest(".cell");
    const content = row?.querySelector(".slide");
    if (!(row instanceof HTMLElement) || !(content instanceof HTMLElement) || target.closest(".handle")) return;
    stroke = { row, content, x: event.clientX, y: event.clientY, id: event.pointerId, on: false, dx: 0 };
  });

  list.addEventListener("pointermove", (event) => {
    if (!stroke || event.pointerId !== stroke.id) return;
    const [dx, dy] = [event.clientX - stroke.x, event.clientY - stroke.y];
    if (!stroke.on) {
      const verdict = judge(dx, dy);
      if (verdict === "no") stroke = null;
      if (verdict !== "yes" || !stroke) return;
      stroke.on = true;
      list.setPointerCapture(event.pointerId);
      stroke.row.classList.add("swiping");
    }
    const allowed = dx < 0 ? does.left : does.right;
    stroke.dx = allowed ? dx : dx / 5;
    stroke.row.classList.toggle("to-left", dx < 0);
    stroke.row.classList.toggle("far", !!allowed && Math.abs(dx) > stroke.row.clientWidth / 3);
    stroke.content.style.transform = `translateX(${stroke.dx}px)`;
  });

  const finish = (/** @type {PointerEvent} */ event, /** @type {boolean} */ isKept) => {
    if (!stroke || event.pointerId !== stroke.id) return;
    const { row, content, on, dx } = stroke;
    stroke = null;
    if (!on) return;
    suppressClick(list);
    const isFar = isKept && Math.abs(dx) > row.clientWidth / 3;
    const act = dx < 0 ? does.left : does.right;
    const done = () => {
      content.style.transition = content.style.transform = "";
      row.classList.remove("swiping", "far", "to-left");
    };
    if (isFar && act) act(Number(row.dataset.index));
    if (isStill() || (isFar && dx < 0)) return done();
    content.style.transition = "transform 180ms ease-out";
    content.style.transform = "";
    setTimeout(done, 200);
  };
  list.addEventListener("pointerup", (event) => finish(event, true));
  list.addEventListener("pointercancel", (event) => finish(event, false));
}

/**
 * A stroke that did something ends with a click on its element that nobody meant.
 * @param {HTMLElement} element
 */
function suppressClick(element) {
  const stop = (/** @type {Event} */ event) => {
    event.stopPropagation();
    event.preventDefault();
  };
  element.addEventListener("click", stop, { capture: true, once: true });
  setTimeout(() => element.removeEventListener("click", stop, { capture: true }), 60);
}

/**
 * Calls `act` with the row's index when a finger rests on a row.
 * @param {HTMLElement} list
 * @param {(index: number, event: PointerEvent) => void} act
 */
export function longPress(list, act) {
  let timer = 0;
  let [x, y] = [0, 0];
  const stop = () => clearTimeout(timer);
  list.addEventListener("pointerdown", (event) => {
    stop();
    const row = /** @type {HTMLElement} */ (event.target).closest(".cell");
    if (event.pointerType === "mouse" || !(row instanceof HTMLElement)) return;
    if (/** @type {HTMLElement} */ (event.target).closest(".handle")) return;
    [x, y] = [event.clientX, event.clientY];
    timer = setTimeout(() => {
      // That click comes when the finger is lifted, whenever that is.
      addEventListener("pointerup", () => suppressClick(list), { capture: true, once: true });
      navigator.vibrate?.(12);
      act(Number(row.dataset.index), event);
    }, LONG);
  });
  list.addEventListener("pointermove", (event) => {
    if (Math.hypot(event.clientX - x, event.clientY - y) > START) stop();
  });
  list.addEventListener("pointerup", stop);
  list.addEventListener("pointercancel", stop);
  // The system's own menu would cover ours.
  list.addEventListener("contextmenu", (event) => {
    if (/** @type {PointerEvent} */ (event).pointerType !== "mouse") event.preventDefault();
  });
}

/**
 * Dragging rows by their handles; the list scrolls at its edges; Escape and the system take it back.
 * @param {{element: HTMLElement, scroller: () => HTMLElement, indexAt: (y: number) => number, rowHeight: () => number,
 *   topOf: (index: number) => number}} list
 * @param {{begin?: (index: number) => void, drop: (from: number, to: number) => void}} does
 */
export function dragRows(list, does) {
  list.element.addEventListener("pointerdown", (down) => {
    const handle = /** @type {HTMLElement} */ (down.target).closest(".handle");
    const row = handle?.closest(".cell");
    if (!(handle instanceof HTMLElement) || !(row instanceof HTMLElement) || !down.isPrimary || down.button > 0) return;
    down.preventDefault();
    handle.setPointerCapture(down.pointerId);
    const from = Number(row.dataset.index);
    const scroller = list.scroller();
    const began = scroller.scrollTop;
    const line = document.createElement("div");
    line.className = "drop-line";
    const ghost = /** @type {HTMLElement} */ (row.cloneNode(true));
    ghost.classList.add("ghost");
    ghost.style.transform = "";
    const box = row.getBoundingClientRect();
    for (const [key, value] of Object.entries({ width: box.width, left: box.left, top: box.top })) {
      ghost.style.setProperty(key, `${value}px`);
    }
    ghost.setAttribute("aria-hidden", "true");
    ghost.inert = true;
    document.body.append(ghost);
    list.element.append(line);
    row.classList.add("dragged");
    does.begin?.(from);
    let [y, to, timer] = [down.clientY, from, 0];

    const show = () => {
      to = list.indexAt(y);
      ghost.style.top = `${box.top + y - down.clientY}px`;
      line.style.transform = `translateY(${list.topOf(to) + (to > from ? list.rowHeight() : 0)}px)`;
      line.hidden = to === from;
    };
    const creep = () => {
      const area = scroller.getBoundingClientRect();
      const bottom = Math.min(area.bottom, innerHeight) - parseFloat(getComputedStyle(scroller).scrollPaddingBottom || "0");
      const speed = y < area.top + 72 ? y - area.top - 72 : y > bottom - 56 ? y - bottom + 56 : 0;
      if (speed !== 0) {
        scroller.scrollTop += speed / 4;
        show();
      }
      timer = requestAnimationFrame(creep);
    };
    const end = (/** @type {boolean} */ isKept) => {
      cancelAnimationFrame(timer);
      handle.removeEventListener("pointermove", move);
      handle.removeEventListener("pointerup", up);
      handle.removeEventListener("pointercancel", cancel);
      removeEventListener("keydown", key, true);
      ghost.remove();
      line.remove();
      list.element.querySelectorAll(".dragged").forEach((each) => each.classList.remove("dragged"));
      if (isKept && to !== from) does.drop(from, to);
      else if (!isKept) scroller.scrollTop = began;
    };
    const move = (/** @type {PointerEvent} */ event) => {
      y = event.clientY;
      show();
    };
    const up = () => end(true);
    const cancel = () => end(false);
    const key = (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      end(false);
    };
    handle.addEventListener("pointermove", move);
    handle.addEventListener("pointerup", up);
    handle.addEventListener("pointercancel", cancel);
    addEventListener("keydown", key, true);
    show();
    timer = requestAnimationFrame(creep);
  });
}

/**
 * Strokes on a card, such as the cover: sideways, up and down.
 * @param {HTMLElement} card
 * @param {{left?: () => void, right?: () => void, up?: () => void, down?: () => void, moves?: HTMLElement}} does
 */
export function strokes(card, does) {
  let [x, y, id, axis] = [0, 0, -1, ""];
  const moved = does.moves ?? card;
  const show = (/** @type {number} */ dx, /** @type {number} */ dy, isSlow = false) => {
    moved.style.transition = isSlow && !isStill() ? "transform 220ms cubic-bezier(.2,.8,.2,1)" : "";
    moved.style.transform = dx || dy ? `translate(${dx}px, ${dy}px)` : "";
  };
  card.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse" || !event.isPrimary) return;
    if (/** @type {HTMLElement} */ (event.target).closest("input, .no-stroke")) return;
    [x, y, id, axis] = [event.clientX, event.clientY, event.pointerId, ""];
  });
  card.addEventListener("pointermove", (event) => {
    if (event.pointerId !== id) return;
    const [dx, dy] = [event.clientX - x, event.clientY - y];
    if (axis === "" && Math.hypot(dx, dy) > START) {
      axis = Math.abs(dx) > Math.abs(dy) ? "x" : "y";
      card.setPointerCapture(id);
    }
    if (axis === "x" && (dx < 0 ? does.left : does.right)) show(dx * 0.6, 0);
    if (axis === "y" && dy > 0 && does.down) show(0, dy);
  });
  const finish = (/** @type {PointerEvent} */ event, /** @type {boolean} */ isKept) => {
    if (event.pointerId !== id) return;
    const [dx, dy] = [event.clientX - x, event.clientY - y];
    id = -1;
    if (axis === "") return;
    suppressClick(card);
    show(0, 0, true);
    if (!isKept) return;
    if (axis === "x" && Math.abs(dx) > 60) (dx < 0 ? does.left : does.right)?.();
    if (axis === "y" && Math.abs(dy) > 70) (dy < 0 ? does.up : does.down)?.();
  };
  card.addEventListener("pointerup", (event) => finish(event, true));
  card.addEventListener("pointercancel", (event) => finish(event, false));
}
