// Letting a phone in by a code, and what MPD's clients need to know.
import { get, post, Refusal } from "../js/api.js";
import { h } from "../js/dom.js";
import { empty, fetched, icon, iconButton, page } from "../js/parts.js";
import { back } from "../js/router.js";
import { onEnd, signal } from "../js/signals.js";
import { copy, may, on, outputs, permissions } from "../js/store.js";
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

const isOfThisMachine = (/** @type {string} */ host) => /^(127\.|localhost$|\[::1\]$)/.test(host);

/** The machine by a name that other machines know; undefined where the page knows none. @param {any} settings */
function ownName(settings) {
  if (!isOfThisMachine(location.hostname)) return location.hostname;
  const hosts = (settings.addresses ?? []).map((/** @type {string} */ each) => new URL(each).hostname);
  return hosts.find((/** @type {string} */ each) => !isOfThisMachine(each));
}

/**
 * Where MPD's clients connect, as the configuration says.
 * @param {any} settings
 * @returns {{host: string, port: string, isEncrypted: boolean}[]}
 */
function listeners(settings) {
  const keys = (settings.sections ?? []).find((/** @type {any} */ each) => each.name === "server")?.keys ?? [];
  const listen = String(keys.find((/** @type {any} */ each) => each.key === "listen")?.value ?? "");
  return [...listen.matchAll(/(?:^|[\s,"])(tls:\/\/)?(\[[^\]\s]+\]|[^\s,"/@:[\]]+):(\d{1,5})(?![^\s,"])/g)]
    .map(([, tls, host, port]) => ({ host, port, isEncrypted: !!tls }));
}

/** The addresses that phones type to reach MPD's port, or the line that lets them in. @param {any} settings */
function mpdAddresses(settings) {
  const all = listeners(settings);
  const open = all.filter(({ host }) => !isOfThisMachine(host));
  if (open.length === 0) {
    return [h("p", null, t("pair.closed")), copied("[server]", `listen = ["0.0.0.0:${all[0]?.port ?? "6600"}"]`)];
  }
  return [h("p", null, t("pair.clientsHow")), ...open.map(({ host, port, isEncrypted }) => {
    const name = /^(0\.0\.0\.0|\[::\]|\*)$/.test(host) ? ownName(settings) : host;
    if (!name) return h("p", null, t("pair.port", { port }));
    return copied(t("pair.address"), `${name}:${port}`, isEncrypted ? undefined : `mpd://${name}:${port}`);
  })];
}

/** The streams that every player can play. */
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
      left.value = answer.expires ?? 0;
      clearInterval(timer);
      if (!answer.code) return;
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
  // Whoever used it is told here, and the code is good for nothing any more.
  onEnd(on("paired", async ({ code }) => {
    if (made.peek()?.code !== code) return;
    clearInterval(timer);
    made.value = { isDone: true };
    if (!may("admin")) return;
    const { items } = await get("/api/sessions").catch(() => ({ items: [] }));
    const newest = items.reduce((/** @type {any} */ one, /** @type {any} */ other) => (one?.created > other.created ? one : other), null);
    if (newest && made.peek()?.isDone) made.value = { isDone: true, device: newest.name };
  }));
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
      if (now?.isDone) {
        return h("p.pair-done", { role: "status" }, icon("check"), [t("notice.signedIn"), now.device].filter(Boolean).join(": "));
      }
      if (!now) return null;
      // No other device reaches this address, so that its code would lead nowhere.
      if (isOfThisMachine(new URL(now.url).hostname)) {
        return h("div", { role: "alert" }, h("p", null, t("pair.pageClosed")), copied("[web]", `listen = ["0.0.0.0:${location.port || "80"}"]`));
      }
      return h("div.pair-code", null, now.svg ? drawing(`data:image/svg+xml,${encodeURIComponent(now.svg)}`, t("pair.qrFor"), now.url) : null,
        now.code ? h("p.code", null, now.code) : null, h("p.sub", null, now.url),
        now.code ? h("p.sub", { role: "timer" }, () => t("pair.left", { n: left.value })) : null);
    },
      h("div.buttons", null,
        h("button.primary", { type: "button", onclick: () => create(undefined) }, icon("phone"), t("pair.same")),
        h("button.quiet", { type: "button", onclick: () => create(guest()) }, icon("artist"), t("pair.guest"))),
      h("p.sub", null, t("pair.guestMeans"))),
    () => may("admin") ? h("section.pair", null, h("h2", null, t("pair.clients")), fetched(() => get("/api/settings"), (answer) => [
      ...mpdAddresses(answer),
      ...(answer.addresses ?? []).map((/** @type {string} */ each) => 
        copied(t("settings.page"), each, isOfThisMachine(new URL(each).hostname) ? undefined : each)),
    ]).element) : null,
    () => (streams().length === 0 ? null : h("section.pair", null, h("h2", null, t("pair.streams")),
      ...streams().map((each) =>
        copied(each.name, each.url, isOfThisMachine(location.hostname) ? undefined : each.url)))),
    () => (permissions.value.length === 0 ? empty("key", t("needs.permission", { permission: "read" })) : null));
  view.querySelector("header.bar")?.prepend(iconButton("left", t("menu.back"), () => back("#/settings")));
  return view;
}
