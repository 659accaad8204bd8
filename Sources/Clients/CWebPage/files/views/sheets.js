// Sheets with actions, and questions: fetched once the page is shown, since nobody needs them sooner.
import { get, mpd } from "../js/api.js";
import { h } from "../js/dom.js";
import { cover, icon, needs, queueItems, rating, subline } from "../js/parts.js";
import { link } from "../js/router.js";
import { scope, signal, untracked } from "../js/signals.js";
import { attempt, copy, mark, marksOf, tell } from "../js/store.js";
import { t } from "../js/texts.js";

/** @typedef {import("../js/parts.js").Item} Item */

/**
 * Opens a dialog; what it needs ends when it closes.
 * @param {string} kind a class
 * @param {string} label
 * @param {(close: () => void) => import("../js/dom.js").Child[]} content
 * @returns {HTMLDialogElement}
 */
export function openDialog(kind, label, content) {
  const dialog = /** @type {HTMLDialogElement} */ (h("dialog", { "aria-label": label }));
  dialog.className = kind;
  const close = () => dialog.close();
  const [, end] = untracked(() => scope(() => dialog.append(h("div.dialog-body", null, ...content(close)))));
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) close();
  });
  dialog.addEventListener("close", () => {
    end();
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * A sheet with actions.
 * @param {{title: string, sub?: string, cover?: string | null, items: Item[]}} setting
 */
export function openSheet(setting) {
  openDialog("sheet", setting.title, (close) => {
    const art = cover(96);
    art.show(setting.cover);
    return [
      h("header.sheet-head", null, setting.cover === undefined ? null : art.element,
        h("div.names", null, h("h2.title", null, setting.title), h("p.sub", null, setting.sub ?? ""))),
      ...setting.items.map((item) =>
        item instanceof Node ? item : h("button.sheet-item", {
          type: "button",
          class: { danger: item.danger },
          onclick: () => {
            close();
            item.run();
          },
          ...(item.needs ? needs(item.needs) : {}),
        }, icon(item.icon), item.label)
      ),
      h("button.sheet-item.cancel", { type: "button", onclick: close }, icon("close"), t("menu.close")),
    ];
  });
}

/**
 * Asks for a line of text; null when it was not given. One that `pattern` does not match is answered by `rule`.
 * @param {{title: string, label: string, value?: string, ok: string, pattern?: RegExp, rule?: string}} question
 * @returns {Promise<string | null>}
 */
export function ask(question) {
  return new Promise((answer) => {
    const field = h("input", { value: question.value ?? "", "aria-label": question.label, required: true, autocomplete: "off",
      placeholder: question.label, name: "answer" });
    let given = /** @type {string | null} */ (null);
    const isWrong = signal(false);
    const dialog = openDialog("sheet ask", question.title, (close) => [
      h("form", {
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          const text = field.value.trim();
          isWrong.value = text !== "" && !!question.pattern && !question.pattern.test(text);
          if (isWrong.peek()) return field.focus();
          given = text || null;
          close();
        },
      }, h("h2", null, question.title), field, () => (isWrong.value ? h("p.error-line", { role: "alert" }, question.rule) : null),
        h("div.buttons", null, h("button.quiet", { type: "button", onclick: close }, t("menu.cancel")),
          h("button.primary", { type: "submit" }, question.ok))),
    ]);
    dialog.addEventListener("close", () => answer(given));
    field.select();
  });
}

/** What an address that plays looks like, for `ask`. */
export const ADDRESS = () => ({ pattern: /^[a-z][a-z0-9+.-]*:\/\/\S+$/i, rule: t("radio.addressRule") });

/**
 * Asks whether something should really be done.
 * @param {string} title
 * @param {string} text
 * @param {string} ok
 * @returns {Promise<boolean>}
 */
export function confirmed(title, text, ok) {
  return new Promise((answer) => {
    let given = false;
    const dialog = openDialog("sheet ask", title, (close) => [
      h("h2", null, title), h("p", null, text),
      h("div.buttons", null, h("button.quiet", { type: "button", onclick: close }, t("menu.cancel")),
        h("button.primary", { type: "button", onclick: () => { given = true; close(); } }, ok)),
    ]);
    dialog.addEventListener("close", () => answer(given));
  });
}

/** @param {string} view @param {string} name @param {string | null | undefined} id @param {string} label @returns {Item[]} */
const goTo = (view, name, id, label) => id ? [{ icon: name, label, run: () => location.hash = link(view, id) }] : [];

/** @param {"songs" | "albums" | "artists"} kind @param {any} item @returns {Item[]} */
const starItem = (kind, item) => {
  if (!item.id) return [];
  const on = marksOf(kind, item).starred;
  return [{ icon: on ? "starred" : "star", label: t(on ? "menu.unstar" : "menu.star"), needs: "control",
    run: () => mark(kind, item.id, { starred: !on }) }];
};

/**
 * Hands a title and its address in this page to another app, or copies them where the browser knows no such thing.
 * @param {string} title
 * @param {string} path
 * @returns {Item[]}
 */
const shareItem = (title, path) => [{ icon: "share", label: t("menu.share"), run: async () => {
  const url = new URL(path, location.href).href;
  if (!navigator.share) return copy(`${title}\n${url}`);
  // Whoever closes the system's sheet has changed their mind.
  await navigator.share({ title, text: title, url }).catch(() => {});
} }];

/** @param {any} song */
export function songMenu(song) {
  const what = song.id ? { songs: [song.id] } : { uris: [song.uri] };
  openSheet({
    title: song.title, sub: subline(song, {}), cover: song.cover ?? null,
    items: [
      ...(song.id ? [h("div.sheet-rating", null, rating("songs", song))] : []),
      ...queueItems(what), ...starItem("songs", song),
      { icon: "playlist", label: t("menu.toPlaylist"), needs: "control", run: () => toPlaylist([song.uri]) },
      ...goTo("album", "album", song.albumId, t("menu.goAlbum")),
      ...goTo("artist", "artist", song.artistId, t("menu.goArtist")),
      ...(song.albumId ? shareItem([song.title, song.artist].filter(Boolean).join(" – "), link("album", song.albumId)) : []),
    ],
  });
}

/** @param {any} album */
export function albumMenu(album) {
  openSheet({
    title: album.title, sub: album.artist, cover: album.cover,
    items: [
      h("div.sheet-rating", null, rating("albums", album)),
      ...queueItems({ album: album.id }), ...starItem("albums", album),
      ...goTo("artist", "artist", album.artistId, t("menu.goArtist")),
      ...shareItem([album.title, album.artist].filter(Boolean).join(" – "), link("album", album.id)),
    ],
  });
}

/** So many songs go into a playlist by one request, whose body has a limit. */
const PART = 500;

/** @param {string[]} uris */
export async function toPlaylist(uris) {
  const answer = await attempt(() => get("/api/playlists", { count: 1000 }));
  if (!answer) return;
  const add = async (/** @type {string} */ name) => {
    const done = await attempt(async () => {
      for (let at = 0; at < uris.length; at += PART) await mpd(uris.slice(at, at + PART).map((uri) => ["playlistadd", name, uri]));
      return true;
    });
    if (done) tell(t("notice.addedTo", { n: uris.length, name }));
  };
  openSheet({
    title: t("menu.toPlaylist"),
    items: [
      { icon: "plus", label: t("playlists.new"), needs: "control", run: async () => {
        const name = await ask({ title: t("playlists.new"), label: t("playlists.name"), ok: t("playlists.create") });
        if (name) add(name);
      } },
      ...answer.items.filter((/** @type {any} */ each) => !each.name.startsWith("["))
        .map((/** @type {any} */ each) => ({ icon: "playlist", label: each.name, needs: "control", run: () => add(each.name) })),
    ],
  });
}
