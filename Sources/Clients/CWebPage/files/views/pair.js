// Letting a phone in by a code, and what MPD's clients need to know.
import { get, post, Refusal } from "../js/api.js";
import { h } from "../js/dom.js";
import { empty, fetched, icon, iconButton, page } from "../js/parts.js";
import { back } from "../js/router.js";
import { onEnd, signal } from "../js/signals.js";
import { outputs, permissions, tell } from "../js/store.js";
import { t } from "../js/texts.js";

/**
 * The server's drawing of a code, made anew from its dark squares: no markup is taken over.
 * @param {string} text
 */
function drawing(text) {
  const image = /** @type {HTMLImageElement} */ (h("img.qr", { alt: t("pair.qrFor"), width: 264, height: 264 }));
  image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
  return h("div.qr-frame", null, image);
}

/** @param {string} label @param {string} value */
const copied = (label, value) =>
  h("div.copy-row", null, h("span.sub", null, label), h("code", null, value),
    iconButton("copy", t("pair.copy", { name: label }), async () => {
      try {
        await navigator.clipboard.writeText(value);
        tell(t("notice.copied"));
      } catch {
        tell(t("notice.notCopied"));
      }
    }));

/**
 * Where MPD's clients connect: the ports of the configuration, on the machine by whose name this page was opened.
 * @param {any} settings
 * @returns {string[]}
 */
function mpdAddresses(settings) {
  const keys = (settings.sections ?? []).find((/** @type {any} */ each) => each.name === "server")?.keys ?? [];
  const listen = String(keys.find((/** @type {any} */ each) => each.key === "listen")?.value ?? "");
  const ports = new Set([...listen.matchAll(/:(\d{1,5})\b/g)].map((each) => each[1]));
  return [...ports].map((port) => `${location.hostname}:${port}`);
}

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
  const made = signal(/** @type {any} */ (null));
  const { left, create } = shown(made);
  const guest = () => permissions.peek().filter((each) => each === "read" || each === "add");
  const view = page(t("pair.title"), [],
    h("section.pair", null, h("h2", null, t("pair.phone")), h("p", null, t("pair.how")), () => {
      const now = made.value;
      if (now?.error) return h("p.error-line", { role: "alert" }, now.error);
      if (!now) return null;
      return h("div.pair-code", null, now.svg ? drawing(now.svg) : null,
        h("p.code", null, now.code), h("p.sub", null, now.url), h("p.sub", { role: "timer" }, () => t("pair.left", { n: left.value })));
    },
      h("div.buttons", null,
        h("button.primary", { type: "button", onclick: () => create(undefined) }, icon("phone"), t("pair.same")),
        h("button.quiet", { type: "button", onclick: () => create(guest()) }, icon("artist"), t("pair.guest"))),
      h("p.sub", null, t("pair.guestMeans"))),
    h("section.pair", null, h("h2", null, t("pair.clients")), h("p", null, t("pair.clientsHow")), fetched(() => get("/api/settings"), (answer) => {
      return [
        ...mpdAddresses(answer).map((each) => copied(t("pair.address"), each)),
        ...(answer.addresses ?? []).map((/** @type {string} */ each) => copied(t("settings.page"), each)),
        ...outputs.peek().filter((each) => each.listen).map((each) => copied(each.name, new URL(each.listen ?? "", location.href).href)),
      ];
    }).element),
    () => (permissions.value.length === 0 ? empty("key", t("needs.permission", { permission: "read" })) : null));
  view.querySelector("header.bar")?.prepend(iconButton("left", t("menu.back"), () => back("#/settings")));
  return view;
}
