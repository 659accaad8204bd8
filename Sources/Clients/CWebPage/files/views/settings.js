// How things stand, and what the server is set to; secrets stay secrets.
import { get, mpd, remove } from "../js/api.js";
import { h } from "../js/dom.js";
import { empty, fetched, icon, iconButton, needs, page } from "../js/parts.js";
import { back, go } from "../js/router.js";
import { asOf, attempt, connection, library, link, may, permissions, reconnect, server, serverState, session, sync, tell, waiting } from "../js/store.js";
import { LANGUAGES, language, locale, moment, number, t } from "../js/texts.js";
import { settingsForm } from "./configuration.js";
import { listed } from "./library.js";

/** @param {string} label @param {import("../js/dom.js").Child} value */
const fact = (label, value) => [h("dt", null, label), h("dd", null, value)];

function status() {
  return h("section.card-box", { "aria-label": t("settings.status") },
    h("div.big-state", { "data-state": () => (link.value.state === "lost" ? "unreachable" : serverState()) }, h("span.dot", { "aria-hidden": "true" }),
      h("div", null, h("h2", null, () => t(link.value.state === "lost" ? "connection.noSegue" : `connection.${serverState()}`)),
        h("p.sub", { hidden: () => !asOf.value }, () => (asOf.value ? t("settings.asOf", { time: moment(asOf.value) }) : "")),
        h("p.sub", null, () => (link.value.state === "lost" ? t("connection.noSegueHow") : serverState() === "local" ? "" : connection.value.sentence)))),
    () => (sync.value.phase ? h("div.sync", null, h("p", null, t("sync.running"), " ", sync.value.total > 0 ? t("sync.progress", { done: number(sync.value.done), total: number(sync.value.total) }) : ""),
      h("progress", { max: Math.max(1, sync.value.total), value: sync.value.done, "aria-label": t("sync.running") })) : null),
    h("dl.facts", null,
      fact(t("nav.songs"), () => number(library.value.songs)), fact(t("nav.albums"), listed("albums")), fact(t("nav.artists"), listed("artists")),
      () => serverState() === "local" ? null : [fact(t("settings.plays"), number(waiting.value.plays)), fact(t("settings.edits"), number(waiting.value.edits))],
      fact(t("settings.version"), () => `${server.value.name} ${server.value.version}`),
      fact(t("settings.rights"), () => permissions.value.join(", "))),
    h("div.buttons", null,
      h("button.quiet", { type: "button", onclick: async () => { if (await attempt(() => mpd([["update"]]))) tell(t("notice.updating")); }, ...needs("control") }, icon("replace"), t("folders.update")),
      h("button.quiet", { type: "button", onclick: () => go("#/pair") }, icon("phone"), t("pair.title"))));
}

/** What is kept in this browser only. */
function own() {
  const choice = (/** @type {string} */ label, /** @type {string} */ name, /** @type {[string, string][]} */ values, /** @type {(value: string) => void} */ change) => {
    const now = localStorage.getItem(name) ?? "";
    return h("label.choice", null, h("span", null, label), h("select", { name, onchange: (/** @type {any} */ event) => {
      if (event.target.value) localStorage.setItem(name, event.target.value);
      else localStorage.removeItem(name);
      change(event.target.value);
    } }, ...values.map(([value, text]) => h("option", { value, selected: value === now }, text))));
  };
  const names = new Intl.DisplayNames(language, { type: "language" });
  return h("section.card-box", { "aria-label": t("settings.page") }, h("h2", null, t("settings.page")),
    choice(t("settings.theme"), "theme", [["", t("settings.system")], ["light", t("settings.light")], ["dark", t("settings.dark")]], (value) => {
      if (value) document.documentElement.dataset.theme = value;
      else delete document.documentElement.dataset.theme;
      dispatchEvent(new Event("themechange"));
    }),
    choice(t("settings.language"), "language", [["", t("settings.system")], ...LANGUAGES.map((each) => /** @type {[string, string]} */ ([each, names.of(each) ?? each]))], () => location.reload()),
    choice(t("settings.tap"), "tap", [["", t("menu.play")], ["next", t("menu.playNext")], ["end", t("menu.add")]], () => {}),
    choice(t("settings.keys"), "keys", [["", t("settings.on")], ["off", t("settings.off")]], () => {}));
}

/** Who is signed in, each to be sent away. */
function sessions() {
  if (!session.value.passwords) return null;
  if (!session.value.signedIn) return h("section.card-box", null, h("h2", null, t("signin.title")), h("a.primary", { href: "#/signin" }, icon("key"), t("signin.submit")));
  const signOut = h("button.quiet", { type: "button", onclick: async () => { await attempt(() => remove("/api/session")); localStorage.removeItem("last"); reconnect(); } }, t("settings.signOut"));
  // Only administrators see the others.
  if (!may("admin")) return h("section.card-box", null, h("h2", null, t("settings.sessions")), h("p.sub", null, t("settings.thisOne")), signOut);
  const list = fetched(() => get("/api/sessions"), (answer) => h("ul.plain-list", null, ...answer.items.map((/** @type {any} */ each) =>
    h("li", null, h("span.names", null, h("span.title", null, each.name ?? "?"), h("span.sub", null, [each.current ? t("settings.thisOne") : "", each.lastUsed ? new Date(each.lastUsed).toLocaleString(locale, { dateStyle: "medium", timeStyle: "short" }) : ""].filter(Boolean).join(" · "))),
      iconButton("trash", t("settings.signOutOf", { name: each.name ?? "" }), async () => {
        await attempt(() => remove(`/api/sessions/${encodeURIComponent(each.id)}`));
        list.reload();
      })))));
  return h("section.card-box", null, h("h2", null, t("settings.sessions")), list.element,
    h("button.quiet", { type: "button", onclick: async () => { await attempt(() => remove("/api/guests")); list.reload(); } }, t("pair.guests")), signOut);
}

/** How full the cache is, and since when the secrets are as they are. @param {any} answer */
const kept = (answer) => h("dl.facts", null,
  ...(answer.cache ? fact(t("settings.cache"), `${number(Math.round(answer.cache.size / 1e6))} / ${number(Math.round(answer.cache.limit / 1e6))} MB`) : []),
  ...(answer.keysChanged ? fact(t("settings.keysChanged"), new Date(answer.keysChanged).toLocaleDateString(locale, { dateStyle: "medium" })) : []));

/** @param {any} answer */
const keys = (answer) =>
  (answer.sections ?? []).map((/** @type {any} */ section) =>
    h("details.settings-section", null, h("summary", null, `[${section.name}]`),
      h("dl.facts", null, ...section.keys.map((/** @type {any} */ each) =>
        fact(each.key, h("code", null, each.secret ? "••••" : typeof each.value === "string" ? each.value : JSON.stringify(each.value)))))));

export default function settingsView() {
  const view = page(t("nav.settings"), [], h("div.settings", null, status(), () => sessions(), own(),
    () => may("admin") ? h("section.card-box", null, h("h2", null, t("settings.server")),
      fetched(() => get("/api/settings"), (answer) => h("div", null, kept(answer), settingsForm(answer.writable ?? []),
        h("p.sub", null, t("settings.inFile")), ...keys(answer))).element) : null),
    () => (link.value.state === "lost" ? empty("offline", t("connection.noSegueHow")) : null));
  view.querySelector("header.bar")?.prepend(iconButton("left", t("menu.back"), () => back("#/home"), { tag: "button.icon-button.only-narrow" }));
  return view;
}
