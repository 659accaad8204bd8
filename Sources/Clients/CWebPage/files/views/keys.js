// Keys for everything that is done often; `?` lists them. They can be switched off.
import { h, isTyping } from "../js/dom.js";
import { back, go } from "../js/router.js";
import { actions, mark, marksOf, may, options, song, volume } from "../js/store.js";
import { t } from "../js/texts.js";
import { openDialog } from "./sheets.js";

/** After `g`, a letter goes to a view. @type {{[letter: string]: string}} */
const PLACES = { h: "home", n: "now", q: "queue", l: "lyrics", s: "search", a: "artists", b: "albums", t: "songs", g: "genres", p: "playlists", r: "radio", o: "rooms", e: "settings", w: "wall" };

const star = () => {
  const now = song.peek();
  if (now?.id) mark("songs", now.id, { starred: !marksOf("songs", now).starred });
};
let loud = 50;
const mute = () => {
  const now = volume.peek() ?? 0;
  if (now > 0) loud = now;
  actions.volume(now > 0 ? 0 : loud);
};

/** @type {[string[], string, () => void][]} */
const KEYS = [
  [[" "], "keys.toggle", () => actions.toggle()],
  [["ArrowRight"], "keys.forward", () => actions.skip(5)],
  [["ArrowLeft"], "keys.back", () => actions.skip(-5)],
  [["Shift+ArrowRight"], "keys.next", () => actions.next()],
  [["Shift+ArrowLeft"], "keys.previous", () => actions.previous()],
  [["ArrowUp", "+"], "keys.louder", () => actions.volume((volume.peek() ?? 0) + 5)],
  [["ArrowDown", "-"], "keys.quieter", () => actions.volume((volume.peek() ?? 0) - 5)],
  [["m"], "keys.mute", mute],
  [["s"], "keys.random", () => actions.options({ random: !options.peek().random })],
  [["r"], "keys.repeat", () => actions.options({ repeat: !options.peek().repeat })],
  [["*"], "keys.star", star],
  [["l"], "keys.lyrics", () => go("#/lyrics")],
  [["q"], "keys.queue", () => go("#/queue")],
  [["n"], "keys.now", () => go("#/now")],
  [["/"], "keys.search", () => go("#/search")],
  [["Escape"], "keys.leave", () => back()],
  [["?"], "keys.help", help],
];

/** @param {string} key */
const printed = (key) => key.split("+").filter(Boolean).map((part) => ({ " ": t("keys.space"), ArrowRight: "→", ArrowLeft: "←", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc" })[part] ?? part).join(" + ") || key;

function help() {
  openDialog("sheet keys", t("keys.title"), (close) => [
    h("h2", null, t("keys.title")),
    h("dl.facts", null, ...KEYS.flatMap(([keys, label]) => [h("dt", null, ...keys.flatMap((key, index) => [index > 0 ? " " : null, h("kbd", null, printed(key))])), h("dd", null, t(label))]),
      ...Object.entries(PLACES).flatMap(([letter, view]) => [h("dt", null, h("kbd", null, "g"), " ", h("kbd", null, letter)), h("dd", null, t(`nav.${view}`))])),
    h("p.sub", null, t("keys.list")),
    h("div.buttons", null, h("button.quiet", { type: "button", onclick: close }, t("menu.close"))),
  ]);
}

/** Starts listening for keys. */
export function listen() {
  let isGoing = 0;
  addEventListener("keydown", (event) => {
    if (localStorage.getItem("keys") === "off" || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (isTyping(event.target) || document.querySelector("dialog[open]")) return;
    const target = event.target instanceof Element ? event.target : null;
    // Controls keep the keys that they know themselves.
    if (target?.closest("button, a, [role=slider], [type=checkbox], [role=switch], summary") && (event.key === " " || event.key === "Enter")) return;
    if (target?.closest("input[type=range], select, [role=slider]") && event.key.startsWith("Arrow")) return;
    if (isGoing > Date.now() && PLACES[event.key]) {
      isGoing = 0;
      event.preventDefault();
      return go(`#/${PLACES[event.key]}`);
    }
    isGoing = event.key === "g" ? Date.now() + 1500 : 0;
    const name = event.shiftKey && event.key.startsWith("Arrow") ? `Shift+${event.key}` : event.key;
    const found = KEYS.find(([keys]) => keys.includes(name));
    if (!found) return;
    if (!may("player") && !["l", "q", "n", "/", "?", "Escape"].includes(name)) return;
    event.preventDefault();
    found[2]();
  });
}
