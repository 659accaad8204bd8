// A wish in words for what plays next: how it was understood, by what, and taking it back.
import { get, post, remove } from "../js/api.js";
import { h } from "../js/dom.js";
import { icon, needs } from "../js/parts.js";
import { signal } from "../js/signals.js";
import { attempt, queue, tell } from "../js/store.js";
import { t } from "../js/texts.js";

/** What a wish was understood as, in the listener's language. @param {any} wish */
function understood({ energy, moods, genres, years, tempo }) {
  const parts = [...moods, ...genres];
  if (energy) parts.unshift(energy[1] <= 50 ? t("wish.calm") : energy[0] >= 50 ? t("wish.lively") : t("wish.energy", { from: energy[0], to: energy[1] }));
  const open = years && (years[0] <= 1000 ? "wish.until" : years[1] >= 2999 ? "wish.from" : "");
  if (years) parts.push(open ? t(open, { from: String(years[0]), to: String(years[1]) }) : years[0] === years[1] ? String(years[0]) : `${years[0]}–${years[1]}`);
  if (tempo) parts.push(`${tempo[0]}–${tempo[1]} bpm`);
  return parts.join(", ");
}

/** A wish in words, which the auto-DJ follows, and how it was understood. */
export function wishes() {
  const current = signal(/** @type {any} */ (null));
  const isBusy = signal(false);
  const look = () => get("/api/wish").then((wish) => current.value = wish.isEmpty ? null : wish, () => {});
  look();
  const end = async () => {
    if (await attempt(() => remove("/api/wish")) === undefined) return;
    current.value = null;
    tell(t("wish.ended"));
    look();
  };
  const undo = { label: t("menu.undo"), run: end };
  const field = h("input.wish-field", { ...needs("control"), name: "wish", autocomplete: "off", enterkeyhint: "go", maxlength: 300, placeholder: t("wish.example"), "aria-label": t("wish.title") });
  const ask = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const words = field.value.trim();
    if (words === "" || isBusy.peek()) return;
    isBusy.value = true;
    const answer = await attempt(() => post("/api/wish", { words }));
    isBusy.value = false;
    if (!answer) return;
    if (answer.isEmpty) return tell(t("wish.nothing"));
    field.value = "";
    current.value = answer;
    const { length, position } = queue.peek();
    const waits = position !== null && length > position + 1;
    tell([t("wish.looking", { what: understood(answer) }), waits ? t("wish.later") : ""].filter(Boolean).join(" · "), undo);
  };
  return [
    h("form.wish-form", { onsubmit: ask }, icon("wish"), field,
      h("button.icon-button", { ...needs("control"), type: "submit", "aria-label": t("wish.send") }, icon("right"))),
    h("p.wish-line", { role: "status", hidden: () => !current.value && !isBusy.value }, () => isBusy.value
      ? t("wish.asking") : current.value && [
        h("span", null, t("wish.looking", { what: understood(current.value) }),
          current.value.by ? h("span.sub", null, " · ", current.value.trouble ? `${current.value.trouble}; ` : "", t(`wish.by.${current.value.by}`)) : null),
        h("button.quiet-link", { type: "button", onclick: end, ...needs("control") }, t("wish.end"))])];
}
