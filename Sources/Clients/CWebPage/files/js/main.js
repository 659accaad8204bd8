// The page's beginning: its frame, which view is shown, and what is said about the connection.
import { partition } from "./api.js";
import { coloursOf, onThemeChange, paint, playing } from "./colours.js";
import { h, isStill, isTyping } from "./dom.js";
import { empty, icon, page, sheetsFrom } from "./parts.js";
import { miniPlayer, playerBar } from "./player.js";
import { followAddress, go, remember, route, viewTitle } from "./router.js";
import { effect, onEnd, scope, signal, untracked } from "./signals.js";
import {
  asOf, askBefore, choosePartition, complain, follow, isReady, link, lock, notice, on, permissions, player, reconnect, server, session, song, sync,
  tell,
} from "./store.js";
import { loadTexts, moment, t } from "./texts.js";

/** Each view's module; those of the same module are told apart by the name. @type {{[view: string]: string}} */
const MODULES = {
  home: "home", now: "now", wall: "wall", queue: "queue", lyrics: "lyrics", search: "search",
  library: "library", albums: "browse", artists: "browse", songs: "browse", genres: "browse", years: "browse",
  album: "album", artist: "artist", folders: "folders", playlists: "playlists", playlist: "playlist",
  radio: "radio", zap: "zap", rooms: "rooms", settings: "settings", pair: "pair", signin: "signin", requests: "requests", unknown: "unknown",
};
/** Views that cover the whole screen of a phone. */
const COVERING = ["now", "queue", "lyrics", "zap", "wall"];
const TABS = /** @type {[string, string, string[]][]} */ ([
  ["home", "home", []], ["search", "search", []],
  ["library", "library", ["albums", "artists", "songs", "genres", "years", "album", "artist", "folders", "playlists", "playlist", "requests"]],
  ["radio", "radio", ["zap"]], ["rooms", "rooms", []],
]);

const wide = matchMedia("(min-width: 900px)");
const roomy = matchMedia("(min-width: 1240px)");

/** @param {MediaQueryList} query */
function following(query) {
  const held = signal(query.matches);
  query.addEventListener("change", () => held.value = query.matches);
  return held;
}

/** @param {string} name */
const load = (name) => import(`../views/${MODULES[name] ?? "home"}.js`);

/** @param {string} name @param {boolean} [isGroup] whether it stands for the views below it, too @returns {any} */
const tab = (name, isGroup = false) => {
  const found = TABS.find((each) => each[0] === name);
  const isHere = () => (route.value.path[0] ?? "home") === name || (isGroup && !!found?.[2].includes(route.value.path[0]));
  return h("a.tab", { href: `#/${name}`, "aria-current": () => (isHere() ? "page" : null) }, icon(name), h("span", null, t(`nav.${name}`)));
};

/** The links of wide screens, in groups. */
const sidebar = () =>
  h("nav.sidebar", { "aria-label": t("nav.region") },
    h("a.brand", { href: "#/home" }, h("span.brand-mark", { "aria-hidden": "true" }), "Segue"),
    ...["home", "search", "radio", "rooms"].map((name) => tab(name)),
    h("h2", null, t("nav.library")),
    ...["artists", "albums", "songs", "genres", "years", "playlists", "folders"].map((name) => {
      const icons = /** @type {{[name: string]: string}} */ ({ artists: "artist", albums: "album", songs: "song", genres: "genre", years: "year",
        playlists: "playlist", folders: "folder" });
      return h("a.tab", { href: `#/${name}`, "aria-current": () => (route.value.path[0] === name ? "page" : null) },
        icon(icons[name]), h("span", null, t(`nav.${name}`)));
    }),
    h("a.tab.last", { href: "#/settings", "aria-current": () => (route.value.path[0] === "settings" ? "page" : null) },
      icon("settings"), h("span", null, t("nav.settings"))));

/** The line about the connection: nothing for three seconds, then calm words and a button. */
function connectionLine() {
  const isLong = signal(false);
  let timer = 0;
  effect(() => {
    const { state } = link.value;
    clearTimeout(timer);
    isLong.value = false;
    if (state === "lost") timer = setTimeout(() => isLong.value = true, 3000);
  });
  return h("div.connection-line", { role: "status", hidden: () => !isLong.value },
    () => isLong.value
      ? [icon("offline"), h("span", null, () => t(asOf.value ? "connection.asOf" : "connection.lost", { time: moment(asOf.value ?? link.peek().since) })),
        h("button.quiet", { type: "button", onclick: () => reconnect() }, t("error.again"))]
      : null);
}

/** What was just done, with "undo"; read out by screen readers. */
function notices() {
  let timer = 0;
  const hide = () => notice.value = null;
  effect(() => {
    const now = notice.value;
    clearTimeout(timer);
    if (now) timer = setTimeout(hide, now.action || now.isError ? 9000 : 4000);
  });
  return h("div.notices", { role: "status", "aria-live": "polite", onfocusin: () => clearTimeout(timer), onpointerenter: () => clearTimeout(timer) },
    () => {
      const now = notice.value;
      const action = now?.action;
      return now && h("div.notice", { class: { error: now.isError } }, h("span", null, now.text),
        action && h("button", { type: "button", onclick: () => { hide(); action.run(); } }, action.label));
    });
}

/** Scrolls where the view was left, as soon as it is long enough; a finger that scrolls first wins. @param {HTMLElement} view */
function restoreScroll(view) {
  const wanted = Number(history.state?.scroll ?? 0);
  if (!(wanted > 0)) return;
  const until = performance.now() + 2000;
  let isTouched = false;
  for (const name of ["pointerdown", "wheel", "keydown"]) {
    view.addEventListener(name, () => isTouched = true, { once: true, passive: true });
  }
  const look = () => {
    if (isTouched || !view.isConnected) return;
    if (view.scrollHeight - view.clientHeight >= wanted) view.scrollTop = wanted;
    else if (performance.now() < until) requestAnimationFrame(look);
  };
  look();
}

/** @type {(() => void) | null} */
let endView = null;
let shownRaw = /** @type {string | null} */ (null);
let visit = 0;

/**
 * Shows the view of the address.
 * @param {HTMLElement} main
 * @param {import("./router.js").Route} target
 */
async function show(main, target) {
  const mine = ++visit;
  const name = MODULES[target.path[0]] ? target.path[0] : target.path.length > 0 ? "unknown" : "home";
  /** @type {any} */
  let module;
  try {
    module = await load(name);
  } catch {
    module = { default: () => {
      onEnd(on("found", () => show(main, target)));
      return page("Segue", [], empty("offline", t("error.viewMissing")));
    } };
  }
  if (mine !== visit) return;
  const before = document.documentElement.dataset.view ?? "";
  const isFirst = shownRaw === null;
  shownRaw = target.raw;
  const mount = () => {
    endView?.();
    document.documentElement.dataset.view = name;
    const [view, end] = untracked(() => scope(() => /** @type {HTMLElement} */ (module.default(target))));
    endView = end;
    view.classList.add("entering");
    main.replaceChildren(view);
    restoreScroll(view);
    viewTitle.value = name === "home" ? t("nav.home") : view.getAttribute("aria-label") ?? "";
    if (!isFirst && !view.contains(document.activeElement)) view.querySelector("h1")?.focus({ preventScroll: true });
  };
  const isSheet = COVERING.includes(name) !== COVERING.includes(before);
  if (!isFirst && isSheet && !wide.matches && !isStill() && "startViewTransition" in document) {
    document.documentElement.dataset.motion = COVERING.includes(name) ? "up" : "down";
    // The next view may begin before this motion does, which is no error.
    document.startViewTransition(mount).ready.catch(() => {});
  } else {
    mount();
  }
}

/** The title of the window and its icon follow what plays; while nothing does, the title names the view. */
function followTitle() {
  effect(() => {
    const now = song.value;
    const isOn = player.value.state === "play" && now;
    document.title = (isOn ? [now.title, now.artist] : [viewTitle.value, "Segue"]).filter(Boolean).join(" – ");
    const icon_ = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=icon]"));
    const wanted = isOn && now.cover ? `/cover/${encodeURIComponent(now.cover)}/96` : "/icons/segue.svg";
    if (icon_ && icon_.getAttribute("href") !== wanted) {
      icon_.removeAttribute("type");
      icon_.setAttribute("href", wanted);
    }
  });
}

/** The page's colours are those of the cover. */
function followColours() {
  let mine = 0;
  const apply = () => {
    paint(document.documentElement, playing.peek());
    const ground = getComputedStyle(document.documentElement).getPropertyValue("--art-deep");
    document.querySelector("meta[name=theme-color]")?.setAttribute("content", ground.trim());
  };
  effect(() => {
    const cover = song.value?.cover;
    const asked = ++mine;
    coloursOf(cover).then((found) => {
      if (asked !== mine) return;
      playing.value = found;
      apply();
    });
  });
  onThemeChange(apply);
}

/** A page that is older than the server's says so and loads itself anew, once. */
function followVersion() {
  const own = new URL(import.meta.url).pathname.match(/^\/v\/([^/@]+)\//)?.[1];
  effect(() => {
    const now = server.value.page;
    if (!own || !now || now === own) return;
    if (sessionStorage.getItem("reloaded-for") !== now && !isTyping(document.activeElement)) {
      sessionStorage.setItem("reloaded-for", now);
      location.reload();
    } else {
      tell(t("notice.newVersion"), { label: t("notice.reload"), run: () => location.reload() });
    }
  });
}

/** Who may not even look is asked for a password. */
function followPermissions() {
  effect(() => {
    const isLocked = isReady.value && session.value.passwords && !permissions.value.includes("read");
    if (isLocked && route.peek().path[0] !== "signin") go("#/signin", { replace: true });
  });
  effect(() => {
    if (link.value.state === "locked" && route.value.path[0] !== "signin") go("#/signin", { replace: true });
  });
  on("lost", () => {
    // A socket is refused without a reason; a request tells whether a password is missing, or the chosen partition.
    fetch("/api/status").then(async (response) => {
      if (response.status === 401 || response.status === 403) {
        lock();
        localStorage.removeItem("last");
        go("#/signin", { replace: true });
      } else if (response.ok) {
        const { partitions } = await response.json(), chosen = partition.peek();
        if (chosen !== null && !partitions.includes(chosen)) choosePartition(null);
      }
    }).catch(() => {});
  });
}

/** What another app shared becomes a search; of "Title https://…", as many apps share it, the address. */
function searchIfShared() {
  const given = new URLSearchParams(location.search);
  const all = given.get("url") || given.get("text") || given.get("title");
  const text = all?.match(/https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]]/i)?.[0] ?? all;
  if (text) go(`/#/search/${encodeURIComponent(text)}`, { replace: true });
}

async function registerWorker() {
  if (!("serviceWorker" in navigator) || !isSecureContext) return;
  const address = "/worker.js";
  const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("worker", {
    createScriptURL: (/** @type {string} */ text) => {
      if (text !== address) throw new TypeError("only the page's own worker");
      return text;
    },
  });
  await navigator.serviceWorker.register(policy ? policy.createScriptURL(address) : address, { scope: "/" });
}

/** @param {HTMLElement} main */
function followScroll(main) {
  let timer = 0;
  document.addEventListener("scroll", (event) => {
    const view = event.target;
    if (!(view instanceof HTMLElement) || !view.classList.contains("view")) return;
    view.classList.toggle("scrolled", view.scrollTop > 8);
    if (view.parentElement !== main) return;
    clearTimeout(timer);
    timer = setTimeout(() => view.isConnected && remember({ scroll: view.scrollTop }), 120);
  }, { capture: true, passive: true });
}

/** The queue beside the view, where there is room. */
function sidePanel() {
  const isRoomy = following(roomy);
  const panel = h("aside.side", { "aria-label": t("nav.queue") });
  /** @type {(() => void) | null} */
  let end = null;
  effect(() => {
    const isWanted = isRoomy.value && ![...COVERING, "signin"].includes(route.value.path[0]);
    panel.hidden = !isWanted;
    if (!isWanted) {
      end?.();
      end = null;
      panel.replaceChildren();
    } else if (!end) {
      end = () => {};
      load("queue").then((module) => {
        if (!end) return;
        const [view, stop] = untracked(() => scope(() => module.default(route.peek(), true)));
        end = stop;
        panel.replaceChildren(view);
      });
    }
  });
  return panel;
}

function build() {
  const isWide = following(wide);
  const main = h("main", { id: "main" });
  const shell = /** @type {HTMLElement} */ (document.getElementById("shell"));
  shell.replaceChildren(
    h("a.skip", { href: "#main", onclick: (/** @type {Event} */ event) => {
      event.preventDefault();
      main.querySelector("h1")?.focus();
    } }, t("nav.skip")),
    h("div.backdrop", { "aria-hidden": "true" }),
    connectionLine(),
    h("div.frame", null,
      () => (isWide.value ? sidebar() : null),
      main,
      sidePanel(),
      () => (isWide.value ? playerBar() : h("div.dock", null, miniPlayer(), h("nav.tabs", { "aria-label": t("nav.region") }, ...TABS.map(([name]) => tab(name, true)))))),
    notices(),
    h("div.sync-line", { hidden: () => !sync.value.phase, "aria-hidden": "true",
      style: { "--part": () => (sync.value.total > 0 ? String(sync.value.done / sync.value.total) : "0") } }),
  );
  followScroll(main);
  effect(() => {
    const target = route.value;
    untracked(() => show(main, target));
  });
}

async function begin() {
  sheetsFrom(() => import("../views/sheets.js"));
  askBefore(async (what, how) => (await import("../views/whole.js")).isWanted(what, how));
  const theme = localStorage.getItem("theme");
  if (theme) document.documentElement.dataset.theme = theme;
  partition.value = localStorage.getItem("partition");
  searchIfShared();
  const words = loadTexts();
  // What comes of a code is told in words, and decides what the connection may do.
  if (location.hash.startsWith("#pair=")) await words.then(() => load("signin")).then((module) => module.pairByAddress()).catch(complain);
  followAddress();
  follow();
  load(MODULES[route.peek().path[0]] ? route.peek().path[0] : "home").catch(() => {});
  await words;
  build();
  followTitle();
  followColours();
  followVersion();
  followPermissions();
  const later = globalThis.requestIdleCallback ?? ((/** @type {() => void} */ work) => setTimeout(work, 300));
  // A server that is away just then is asked again.
  const listen = () => import("../views/keys.js").then((module) => module.listen(), () => setTimeout(listen, 5000));
  const keepLast = () => import("../views/last.js").then((module) => module.follow(), () => setTimeout(keepLast, 5000));
  later(() => {
    listen();
    keepLast();
    registerWorker().catch(() => {});
  });
}

begin();
