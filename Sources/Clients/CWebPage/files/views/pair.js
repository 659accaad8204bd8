// Letting a phone in by a code, and what MPD's clients need to know.
import { get, post, Refusal } from "../js/api.js";
import { h } from "../js/dom.js";
import { empty, fetched, icon, iconButton, page } from "../js/parts.js";
import { back } from "../js/router.js";
import { onEnd, signal } from "../js/signals.js";
import { copy, may, outputs, permissions } from "../js/store.js";
import { t } from "../js/texts.js";
import { keepAwake } from "./awake.js";
import { openDialog } from "./sheets.js";

/**
 * A code as a picture, in which no markup of the server can do anything; a tap makes it as large as the screen.
 * @param {string} source
 * @param {string} name
 * @param {string} text what the code says
 */
function drawing(source, name, text) {
  const picture = () => h("img.qr", { alt: name, src: source, width: 264, height: 264 });
  return h("button.qr-frame", { type: "button", title: name, onclick: () => openDialog("sheet ask code-whole", name, (close) => [
    h("div.qr-frame", null, picture()), h("p.sub", null, text),
    h("div.buttons", null, h("button.quiet", { type: "button", onclick: close }, t("menu.close")))]) }, picture());
}

/** @param {string} label @param {string} value @param {string} [address] what apps can read from a code */
const copied = (label, value, address) =>
  h("div.copy-row", null, h("span.sub", null, label), h("code", null, value),
    iconButton("copy", t("pair.copy", { name: label }), () => copy(value)),
    address ? drawing(`/api/qr?text=${encodeURIComponent(address)}`, t("pair.qrOf", { name: value }), address) : null);

/**
 * Where MPD's clients connect: the ports of the configuration, on the machine by whose name this page was opened.
 * @param {any} settings
 * @returns {{at: string, isEncrypted: boolean}[]}
 */
function mpdAddresses(settings) {
  const keys = (settings.sections ?? []).find((/** @type {any} */ each) => each.name === "server")?.keys ?? [];
  const listen = String(keys.find((/** @type {any} */ each) => each.key === "listen")?.value ?? "");
  const ports = new Map([...listen.matchAll(/(tls:\/\/)?[^\s,"]*:(\d{1,5})\b/g)].map((each) => [each[2], !!each[1]]));
  return [...ports].map(([port, isEncrypted]) => ({ at: `${location.hostname}:${port}`, isEncrypted }));
}

/** What every player can listen to. */
const streams = () =>
  outputs.value.flatMap(({ name, listen }) => (listen ? [{ name, url: new URL(listen, location.href).href }] : []));

/** Codes that end by themselves. @param {import("../js/signals.js").Signal<any>} made */
function shown(made) {
  const left = signal(0);
  let timer = 0;
  onEnd(() => clearInterval(timer));
  /** Without a choice the code gives what this browser may do. */
  const create = async (/** @type {string[] | undefined} */ wanted) => {
    try {
      const answer = await post("/api/pair", wanted ? { permissions: wanted } : {});
      made.value = answer;
      left.value = answer.expires;
      clearInterval(timer);
      timer = setInterval(() => {
        left.value -= 1;
        if (left.peek() > 0) return;
        clearInterval(timer);
        made.value = null;
      }, 1000);
    } catch (error) {
      made.value = { error: error instanceof Refusal ? error.message : t("error.unreachable") };
    }
  };
  return { left, create };
}

export default function pairView() {
  keepAwake();
  const made = signal(/** @type {any} */ (null));
  const { left, create } = shown(made);
  const guest = () => permissions.peek().filter((each) => each === "read" || each === "add");
  const view = page(t("pair.title"), [],
    h("section.pair", null, h("h2", null, t("pair.phone")), h("p", null, t("pair.how")), () => {
      const now = made.value;
      if (now?.error) return h("p.error-line", { role: "alert" }, now.error);
      if (!now) return null;
      return h("div.pair-code", null, now.svg ? drawing(`data:image/svg+xml,${encodeURIComponent(now.svg)}`, t("pair.qrFor"), now.url) : null,
        h("p.code", null, now.code), h("p.sub", null, now.url), h("p.sub", { role: "timer" }, () => t("pair.left", { n: left.value })));
    },
      h("div.buttons", null,
        h("button.primary", { type: "button", onclick: () => create(undefined) }, icon("phone"), t("pair.same")),
        h("button.quiet", { type: "button", onclick: () => create(guest()) }, icon("artist"), t("pair.guest"))),
      h("p.sub", null, t("pair.guestMeans"))),
    () => may("admin") ? h("section.pair", null, h("h2", null, t("pair.clients")), h("p", null, t("pair.clientsHow")), fetched(() => get("/api/settings"), (answer) => [
      ...mpdAddresses(answer).map(({ at, isEncrypted }) => copied(t("pair.address"), at, isEncrypted ? undefined : `mpd://${at}`)),
      ...(answer.addresses ?? []).map((/** @type {string} */ each) => copied(t("settings.page"), each, each)),
    ]).element) : null,
    () => (streams().length === 0 ? null : h("section.pair", null, h("h2", null, t("pair.streams")),
      ...streams().map((each) => copied(each.name, each.url, each.url)))),
    () => (permissions.value.length === 0 ? empty("key", t("needs.permission", { permission: "read" })) : null));
  view.querySelector("header.bar")?.prepend(iconButton("left", t("menu.back"), () => back("#/settings")));
  return view;
}
