// Keeps the page's own files, so that it opens without a network. It never touches what is asked of the server.
const VERSION = "@VERSION@";
const SHELL = "shell-" + VERSION;
const BASE = "/v/" + VERSION + "/";
const FILES = [
  "style/base.css", "style/parts.css", "style/views.css",
  "js/api.js", "js/colours.js", "js/dom.js", "js/gestures.js", "js/list.js", "js/main.js", "js/parts.js", "js/player.js",
  "js/router.js", "js/signals.js", "js/socket.js", "js/store.js", "js/texts.js",
  "texts/de.json", "texts/en.json", "texts/es.json", "texts/fr.json", "texts/ja.json",
];
const VIEWS = [
  "album", "artist", "awake", "browse", "configuration", "folders", "hero", "home", "keys", "last", "library",
  "listen", "lyrics", "now", "pair", "playlist", "playlist-source", "playlists", "queue", "queue-menus",
  "queue-source", "radio", "requests", "rooms", "search", "selection", "settings", "sheets", "signin", "unknown",
  "wall", "whole", "wish", "zap",
];

self.addEventListener("install", (event) => {
  const paths = [...FILES, ...VIEWS.map((name) => "views/" + name + ".js")].map((path) => BASE + path);
  event.waitUntil(caches.open(SHELL).then((cache) =>
    cache.addAll(["/", "/page.webmanifest", "/icons/segue.svg", "/icons/192.png", ...paths])));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(caches.keys().then((names) =>
    Promise.all(names.filter((name) => name !== SHELL).map((name) => caches.delete(name)))));
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin) return;
  if (event.request.mode === "navigate" && url.pathname === "/") {
    // The network first, so that a new version is there at the next start; the kept page when it doesn't answer.
    event.respondWith(freshPage(event.request));
  } else if (url.pathname.startsWith(BASE) || url.pathname.startsWith("/icons/") || url.pathname === "/page.webmanifest") {
    event.respondWith(caches.match(event.request).then((kept) => kept || fetch(event.request)));
  }
});

async function freshPage(request) {
  const kept = await caches.match("/");
  try {
    return await fetch(request, kept ? { signal: AbortSignal.timeout(3000) } : {});
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}
