// The stations as a list; the cards to zap through are a view of their own.
import { Windows } from "../js/api.js";
import { h } from "../js/dom.js";
import { virtualList } from "../js/list.js";
import { ask, cover, empty, icon, iconButton, needs, openSheet, page, queueItems } from "../js/parts.js";
import { link } from "../js/router.js";
import { effect, onEnd } from "../js/signals.js";
import { enqueue, may, on, song, tapMeans } from "../js/store.js";
import { t } from "../js/texts.js";
import { ADDRESS } from "./sheets.js";

/** @returns {import("../js/list.js").Cell} */
function row() {
  /** @type {any} */
  let station;
  const art = cover(320, "radio", "/picture");
  const [name, sub] = [h("span.title"), h("span.sub")];
  const main = h("button.main", { type: "button", "data-main": true, onclick: () => station && enqueue({ station: station.id }, tapMeans()) }, art.element, h("span.names", null, name, sub));
  const more = iconButton("more", t("menu.more"), () => station && openSheet({ title: station.name, items: [
    ...queueItems({ station: station.id }),
    { icon: "cards", label: t("radio.cards"), run: () => location.hash = link("zap", station.id) },
  ] }));
  const element = h("div.row", { role: "listitem" }, h("div.slide", null, main, more));
  const show = () => {
    // Read first, so that a row that has no station yet follows what plays, too.
    const now = song.value;
    const isOn = !!station && now?.uri === station.uri;
    element.classList.toggle("playing", isOn);
    sub.textContent = isOn && now?.title !== station.name ? now?.title ?? "" : [station?.country, station?.genre].filter(Boolean).join(" · ");
  };
  effect(show);
  return {
    element,
    update: (/** @type {any} */ next) => {
      station = next;
      element.classList.toggle("skeleton", !next);
      name.textContent = next?.name ?? "";
      more.setAttribute("aria-label", t("menu.moreFor", { name: next?.name ?? "" }));
      art.show(next?.picture);
      show();
    },
  };
}

export default function radioView() {
  const source = new Windows("/api/stations");
  const list = virtualList({ source, label: t("nav.radio"), row: 72, render: row });
  list.element.classList.add("stations");
  onEnd(on("found", () => source.reload()));
  return page(t("nav.radio"), [
    iconButton("plus", t("radio.address"), async () => {
      const how = may("player") ? "play" : "end";
      const uri = await ask({ title: t("radio.address"), label: t("queue.address"), ok: t(how === "play" ? "menu.play" : "menu.add"), ...ADDRESS() });
      if (uri) enqueue({ uris: [uri] }, how);
    }, needs("add")),
  ],
    h("a.zap-open", { href: "#/zap", hidden: () => source.total.value === 0 }, icon("cards"), h("span", null, h("b", null, t("radio.cards")), h("span.sub", null, t("radio.cardsHint")))),
    list.element,
    () => source.error.value && source.total.value === null ? empty("offline", source.error.value.message) : null,
    () => (source.total.value === 0 ? empty("radio", t("radio.none")) : null));
}
