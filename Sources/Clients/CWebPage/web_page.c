// Written by contrib/embed-page; a change inside of a file needs no change here.
#include "web_page.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_icons_180_png[] = {
#embed "files/icons/180.png"
};
static const unsigned char file_icons_192_png[] = {
#embed "files/icons/192.png"
};
static const unsigned char file_icons_512_png[] = {
#embed "files/icons/512.png"
};
static const unsigned char file_icons_maskable_png[] = {
#embed "files/icons/maskable.png"
};
static const unsigned char file_icons_segue_svg[] = {
#embed "files/icons/segue.svg"
};
static const unsigned char file_index_html[] = {
#embed "files/index.html"
};
static const unsigned char file_js_api_js[] = {
#embed "files/js/api.js"
};
static const unsigned char file_js_colours_js[] = {
#embed "files/js/colours.js"
};
static const unsigned char file_js_dom_js[] = {
#embed "files/js/dom.js"
};
static const unsigned char file_js_gestures_js[] = {
#embed "files/js/gestures.js"
};
static const unsigned char file_js_list_js[] = {
#embed "files/js/list.js"
};
static const unsigned char file_js_main_js[] = {
#embed "files/js/main.js"
};
static const unsigned char file_js_parts_js[] = {
#embed "files/js/parts.js"
};
static const unsigned char file_js_player_js[] = {
#embed "files/js/player.js"
};
static const unsigned char file_js_router_js[] = {
#embed "files/js/router.js"
};
static const unsigned char file_js_signals_js[] = {
#embed "files/js/signals.js"
};
static const unsigned char file_js_socket_js[] = {
#embed "files/js/socket.js"
};
static const unsigned char file_js_store_js[] = {
#embed "files/js/store.js"
};
static const unsigned char file_js_texts_js[] = {
#embed "files/js/texts.js"
};
static const unsigned char file_openapi_json[] = {
#embed "files/openapi.json"
};
static const unsigned char file_page_webmanifest[] = {
#embed "files/page.webmanifest"
};
static const unsigned char file_style_base_css[] = {
#embed "files/style/base.css"
};
static const unsigned char file_style_parts_css[] = {
#embed "files/style/parts.css"
};
static const unsigned char file_style_views_css[] = {
#embed "files/style/views.css"
};
static const unsigned char file_texts_de_json[] = {
#embed "files/texts/de.json"
};
static const unsigned char file_texts_en_json[] = {
#embed "files/texts/en.json"
};
static const unsigned char file_texts_es_json[] = {
#embed "files/texts/es.json"
};
static const unsigned char file_texts_fr_json[] = {
#embed "files/texts/fr.json"
};
static const unsigned char file_texts_ja_json[] = {
#embed "files/texts/ja.json"
};
static const unsigned char file_views_album_js[] = {
#embed "files/views/album.js"
};
static const unsigned char file_views_artist_js[] = {
#embed "files/views/artist.js"
};
static const unsigned char file_views_awake_js[] = {
#embed "files/views/awake.js"
};
static const unsigned char file_views_browse_js[] = {
#embed "files/views/browse.js"
};
static const unsigned char file_views_configuration_js[] = {
#embed "files/views/configuration.js"
};
static const unsigned char file_views_folders_js[] = {
#embed "files/views/folders.js"
};
static const unsigned char file_views_hero_js[] = {
#embed "files/views/hero.js"
};
static const unsigned char file_views_home_js[] = {
#embed "files/views/home.js"
};
static const unsigned char file_views_keys_js[] = {
#embed "files/views/keys.js"
};
static const unsigned char file_views_last_js[] = {
#embed "files/views/last.js"
};
static const unsigned char file_views_library_js[] = {
#embed "files/views/library.js"
};
static const unsigned char file_views_listen_js[] = {
#embed "files/views/listen.js"
};
static const unsigned char file_views_lyrics_js[] = {
#embed "files/views/lyrics.js"
};
static const unsigned char file_views_now_js[] = {
#embed "files/views/now.js"
};
static const unsigned char file_views_pair_js[] = {
#embed "files/views/pair.js"
};
static const unsigned char file_views_playlist_source_js[] = {
#embed "files/views/playlist-source.js"
};
static const unsigned char file_views_playlist_js[] = {
#embed "files/views/playlist.js"
};
static const unsigned char file_views_playlists_js[] = {
#embed "files/views/playlists.js"
};
static const unsigned char file_views_queue_menus_js[] = {
#embed "files/views/queue-menus.js"
};
static const unsigned char file_views_queue_source_js[] = {
#embed "files/views/queue-source.js"
};
static const unsigned char file_views_queue_js[] = {
#embed "files/views/queue.js"
};
static const unsigned char file_views_radio_js[] = {
#embed "files/views/radio.js"
};
static const unsigned char file_views_requests_js[] = {
#embed "files/views/requests.js"
};
static const unsigned char file_views_rooms_js[] = {
#embed "files/views/rooms.js"
};
static const unsigned char file_views_search_js[] = {
#embed "files/views/search.js"
};
static const unsigned char file_views_selection_js[] = {
#embed "files/views/selection.js"
};
static const unsigned char file_views_settings_js[] = {
#embed "files/views/settings.js"
};
static const unsigned char file_views_sheets_js[] = {
#embed "files/views/sheets.js"
};
static const unsigned char file_views_signin_js[] = {
#embed "files/views/signin.js"
};
static const unsigned char file_views_unknown_js[] = {
#embed "files/views/unknown.js"
};
static const unsigned char file_views_wall_js[] = {
#embed "files/views/wall.js"
};
static const unsigned char file_views_whole_js[] = {
#embed "files/views/whole.js"
};
static const unsigned char file_views_wish_js[] = {
#embed "files/views/wish.js"
};
static const unsigned char file_views_zap_js[] = {
#embed "files/views/zap.js"
};
static const unsigned char file_worker_js[] = {
#embed "files/worker.js"
};

static const struct web_page_file files[] = {
    {"icons/180.png", file_icons_180_png, sizeof file_icons_180_png},
    {"icons/192.png", file_icons_192_png, sizeof file_icons_192_png},
    {"icons/512.png", file_icons_512_png, sizeof file_icons_512_png},
    {"icons/maskable.png", file_icons_maskable_png, sizeof file_icons_maskable_png},
    {"icons/segue.svg", file_icons_segue_svg, sizeof file_icons_segue_svg},
    {"index.html", file_index_html, sizeof file_index_html},
    {"js/api.js", file_js_api_js, sizeof file_js_api_js},
    {"js/colours.js", file_js_colours_js, sizeof file_js_colours_js},
    {"js/dom.js", file_js_dom_js, sizeof file_js_dom_js},
    {"js/gestures.js", file_js_gestures_js, sizeof file_js_gestures_js},
    {"js/list.js", file_js_list_js, sizeof file_js_list_js},
    {"js/main.js", file_js_main_js, sizeof file_js_main_js},
    {"js/parts.js", file_js_parts_js, sizeof file_js_parts_js},
    {"js/player.js", file_js_player_js, sizeof file_js_player_js},
    {"js/router.js", file_js_router_js, sizeof file_js_router_js},
    {"js/signals.js", file_js_signals_js, sizeof file_js_signals_js},
    {"js/socket.js", file_js_socket_js, sizeof file_js_socket_js},
    {"js/store.js", file_js_store_js, sizeof file_js_store_js},
    {"js/texts.js", file_js_texts_js, sizeof file_js_texts_js},
    {"openapi.json", file_openapi_json, sizeof file_openapi_json},
    {"page.webmanifest", file_page_webmanifest, sizeof file_page_webmanifest},
    {"style/base.css", file_style_base_css, sizeof file_style_base_css},
    {"style/parts.css", file_style_parts_css, sizeof file_style_parts_css},
    {"style/views.css", file_style_views_css, sizeof file_style_views_css},
    {"texts/de.json", file_texts_de_json, sizeof file_texts_de_json},
    {"texts/en.json", file_texts_en_json, sizeof file_texts_en_json},
    {"texts/es.json", file_texts_es_json, sizeof file_texts_es_json},
    {"texts/fr.json", file_texts_fr_json, sizeof file_texts_fr_json},
    {"texts/ja.json", file_texts_ja_json, sizeof file_texts_ja_json},
    {"views/album.js", file_views_album_js, sizeof file_views_album_js},
    {"views/artist.js", file_views_artist_js, sizeof file_views_artist_js},
    {"views/awake.js", file_views_awake_js, sizeof file_views_awake_js},
    {"views/browse.js", file_views_browse_js, sizeof file_views_browse_js},
    {"views/configuration.js", file_views_configuration_js, sizeof file_views_configuration_js},
    {"views/folders.js", file_views_folders_js, sizeof file_views_folders_js},
    {"views/hero.js", file_views_hero_js, sizeof file_views_hero_js},
    {"views/home.js", file_views_home_js, sizeof file_views_home_js},
    {"views/keys.js", file_views_keys_js, sizeof file_views_keys_js},
    {"views/last.js", file_views_last_js, sizeof file_views_last_js},
    {"views/library.js", file_views_library_js, sizeof file_views_library_js},
    {"views/listen.js", file_views_listen_js, sizeof file_views_listen_js},
    {"views/lyrics.js", file_views_lyrics_js, sizeof file_views_lyrics_js},
    {"views/now.js", file_views_now_js, sizeof file_views_now_js},
    {"views/pair.js", file_views_pair_js, sizeof file_views_pair_js},
    {"views/playlist-source.js", file_views_playlist_source_js, sizeof file_views_playlist_source_js},
    {"views/playlist.js", file_views_playlist_js, sizeof file_views_playlist_js},
    {"views/playlists.js", file_views_playlists_js, sizeof file_views_playlists_js},
    {"views/queue-menus.js", file_views_queue_menus_js, sizeof file_views_queue_menus_js},
    {"views/queue-source.js", file_views_queue_source_js, sizeof file_views_queue_source_js},
    {"views/queue.js", file_views_queue_js, sizeof file_views_queue_js},
    {"views/radio.js", file_views_radio_js, sizeof file_views_radio_js},
    {"views/requests.js", file_views_requests_js, sizeof file_views_requests_js},
    {"views/rooms.js", file_views_rooms_js, sizeof file_views_rooms_js},
    {"views/search.js", file_views_search_js, sizeof file_views_search_js},
    {"views/selection.js", file_views_selection_js, sizeof file_views_selection_js},
    {"views/settings.js", file_views_settings_js, sizeof file_views_settings_js},
    {"views/sheets.js", file_views_sheets_js, sizeof file_views_sheets_js},
    {"views/signin.js", file_views_signin_js, sizeof file_views_signin_js},
    {"views/unknown.js", file_views_unknown_js, sizeof file_views_unknown_js},
    {"views/wall.js", file_views_wall_js, sizeof file_views_wall_js},
    {"views/whole.js", file_views_whole_js, sizeof file_views_whole_js},
    {"views/wish.js", file_views_wish_js, sizeof file_views_wish_js},
    {"views/zap.js", file_views_zap_js, sizeof file_views_zap_js},
    {"worker.js", file_worker_js, sizeof file_worker_js},
};

size_t web_page_file_count(void) { return sizeof files / sizeof *files; }

struct web_page_file web_page_file_at(size_t index) { return files[index]; }
