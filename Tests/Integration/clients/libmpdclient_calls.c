/* Calls libmpdclient's functions, group by group, and prints what the library made of the answers.
 * usage: libmpdclient_calls HOST PORT GROUP; the test compares the output with the one from MPD. */
#include <mpd/client.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct mpd_connection *mpd;
static const char *const ALBUM = "Various Voices/Meeting Point";
static const char *const SONG = "Ada Quartet/First Light/01 Sill.flac";
static const char *const LARGE_COVER = "Various Voices/Meeting Point/1-02 Table.flac";
static const char *const LONG_SONG = "Nora Hale/Long Way Home/01 Road.flac";

/* Prints the connection's error, if any, and makes it usable again; ends when that is impossible. */
static bool report(const char *what, bool good)
{
    if (good && mpd_connection_get_error(mpd) == MPD_ERROR_SUCCESS) {
        printf("%s: ok\n", what);
        return true;
    }
    if (mpd_connection_get_error(mpd) == MPD_ERROR_SERVER)
        printf("%s: ACK %d %s (command %u)\n", what, mpd_connection_get_server_error(mpd),
               mpd_connection_get_error_message(mpd), mpd_connection_get_server_error_location(mpd));
    else
        printf("%s: error %d %s\n", what, mpd_connection_get_error(mpd), mpd_connection_get_error_message(mpd));
    if (!mpd_connection_clear_error(mpd)) {
        printf("the connection is lost\n");
        exit(1);
    }
    return false;
}

#define WITH_TAG(tag, value) mpd_search_add_tag_constraint(mpd, MPD_OPERATOR_DEFAULT, tag, value)
#define CALL(call) report(#call, call)

static void print_song(const struct mpd_song *song)
{
    printf("  song %s prio %u, %u ms, range %u-%u", mpd_song_get_uri(song), mpd_song_get_prio(song),
           mpd_song_get_duration_ms(song), mpd_song_get_start(song), mpd_song_get_end(song));
    const struct mpd_audio_format *format = mpd_song_get_audio_format(song);
    if (format != NULL)
        printf(", %u:%u:%u", format->sample_rate, format->bits, format->channels);
    for (int tag = 0; tag < MPD_TAG_COUNT; tag++) {
        const char *value;
        for (unsigned i = 0; tag != MPD_TAG_COMMENT && (value = mpd_song_get_tag(song, tag, i)) != NULL; i++)
            printf(" %s=%s", mpd_tag_name(tag), value);
    }
    printf("\n");
}

static void print_songs(const char *what, bool sent)
{
    struct mpd_song *song;
    while (sent && (song = mpd_recv_song(mpd)) != NULL) {
        print_song(song);
        mpd_song_free(song);
    }
    report(what, sent && mpd_response_finish(mpd));
}

/* Prints all pairs of an answer as they are. */
static void print_pairs(const char *what, bool sent)
{
    struct mpd_pair *pair;
    while (sent && (pair = mpd_recv_pair(mpd)) != NULL) {
        printf("  %s = %s\n", pair->name, pair->value);
        mpd_return_pair(mpd, pair);
    }
    report(what, sent && mpd_response_finish(mpd));
}

#define SONGS(call) print_songs(#call, call)
#define PAIRS(call) print_pairs(#call, call)

static void print_queue(void)
{
    struct mpd_song *song;
    printf("  queue:");
    for (bool sent = mpd_send_list_queue_meta(mpd); sent && (song = mpd_recv_song(mpd)) != NULL; mpd_song_free(song)) {
        printf(" %u %s", mpd_song_get_pos(song), strrchr(mpd_song_get_uri(song), '/') + 1);
        if (mpd_song_get_prio(song) > 0)
            printf(" (%u)", mpd_song_get_prio(song));
        printf(";");
    }
    printf("\n");
    report("the queue", mpd_response_finish(mpd));
}

static unsigned id_at(unsigned position)
{
    struct mpd_song *song = mpd_run_get_queue_song_pos(mpd, position);
    unsigned id = song == NULL ? 0 : mpd_song_get_id(song);
    if (song != NULL)
        mpd_song_free(song);
    mpd_response_finish(mpd);
    return id;
}

static void print_status(void)
{
    struct mpd_status *status = mpd_run_status(mpd);
    if (!report("status", status != NULL))
        return;
    printf("  volume %d repeat %d random %d single %d consume %d length %u state %d crossfade %u mixrampdb %.1f "
           "mixrampdelay %.1f song %d next %d error %s partition %s\n",
           mpd_status_get_volume(status), mpd_status_get_repeat(status), mpd_status_get_random(status),
           (int)mpd_status_get_single_state(status), mpd_status_get_consume(status),
           mpd_status_get_queue_length(status), (int)mpd_status_get_state(status), mpd_status_get_crossfade(status),
           mpd_status_get_mixrampdb(status), mpd_status_get_mixrampdelay(status), mpd_status_get_song_pos(status),
           mpd_status_get_next_song_pos(status), mpd_status_get_error(status) ? mpd_status_get_error(status) : "none",
           mpd_status_get_partition(status));
    mpd_status_free(status);
}

static void group_queue(void)
{
    CALL(mpd_run_add(mpd, ALBUM));
    CALL(mpd_run_add_whence(mpd, SONG, 0, MPD_POSITION_ABSOLUTE));
    CALL(mpd_run_add_id(mpd, LONG_SONG) > 0);
    CALL(mpd_run_add_id_to(mpd, SONG, 2) > 0);
    CALL(mpd_run_play_pos(mpd, 1));
    CALL(mpd_run_pause(mpd, true));
    CALL(mpd_run_add_id_whence(mpd, LONG_SONG, 0, MPD_POSITION_AFTER_CURRENT) > 0);
    CALL(mpd_run_add_id_whence(mpd, SONG, 0, MPD_POSITION_BEFORE_CURRENT) > 0);
    CALL(mpd_run_add_whence(mpd, "no such song", 0, MPD_POSITION_ABSOLUTE));
    CALL(mpd_run_add_id(mpd, "no such song") > 0);
    print_queue();
    CALL(mpd_run_move(mpd, 0, 3));
    CALL(mpd_run_move_range(mpd, 1, 3, 0));
    CALL(mpd_run_move_id(mpd, id_at(4), 1));
    CALL(mpd_run_swap(mpd, 0, 5));
    CALL(mpd_run_swap_id(mpd, id_at(1), id_at(2)));
    CALL(mpd_run_move(mpd, 0, 99));
    print_queue();
    CALL(mpd_run_prio(mpd, 7, 3));
    CALL(mpd_run_prio_range(mpd, 9, 4, 6));
    CALL(mpd_run_prio_id(mpd, 11, id_at(0)));
    CALL(mpd_run_prio(mpd, 256, 0));
    print_queue();
    SONGS(mpd_send_list_queue_range_meta(mpd, 2, 4));
    SONGS(mpd_send_get_queue_song_id(mpd, id_at(2)));
    SONGS(mpd_send_queue_changes_meta_range(mpd, 0, 1, 3));
    SONGS(mpd_send_get_queue_song_pos(mpd, 99));
    unsigned brief = 0, position, id;
    for (bool sent = mpd_send_queue_changes_brief(mpd, 0); sent && mpd_recv_queue_change_brief(mpd, &position, &id);)
        brief += position;
    report("the brief changes", mpd_response_finish(mpd));
    printf("  the positions add up to %u\n", brief);
    CALL(mpd_run_delete(mpd, 0));
    CALL(mpd_run_delete_id(mpd, id_at(0)));
    CALL(mpd_run_delete_range(mpd, 2, 4));
    CALL(mpd_run_delete(mpd, 99));
    CALL(mpd_run_delete_id(mpd, 99999));
    CALL(mpd_run_shuffle_range(mpd, 0, 1));
    print_queue();
    CALL(mpd_run_stop(mpd));
    CALL(mpd_run_clear(mpd));
    CALL(mpd_run_play_pos(mpd, 0));
    CALL(mpd_run_play(mpd));
}

static void group_playing(void)
{
    struct mpd_song *song;
    CALL(mpd_run_add(mpd, "Nora Hale"));
    CALL(mpd_run_play_id(mpd, id_at(1)));
    CALL(mpd_run_toggle_pause(mpd));
    print_status();
    CALL(mpd_run_seek_pos(mpd, 0, 100));
    CALL(mpd_run_pause(mpd, true));
    CALL(mpd_run_seek_id(mpd, id_at(1), 50));
    CALL(mpd_run_seek_id_float(mpd, id_at(1), 50.5));
    CALL(mpd_run_seek_current(mpd, -10.25, true));
    CALL(mpd_run_seek_current(mpd, 20, false));
    struct mpd_status *status = mpd_run_status(mpd);
    if (report("status", status != NULL)) {
        printf("  %u of %u\n", mpd_status_get_elapsed_time(status), mpd_status_get_total_time(status));
        mpd_status_free(status);
    }
    CALL((song = mpd_run_current_song(mpd)) != NULL);
    if (song != NULL) {
        print_song(song);
        mpd_song_free(song);
    }
    CALL(mpd_run_previous(mpd));
    CALL(mpd_run_next(mpd));
    CALL(mpd_run_pause(mpd, true));
    CALL(mpd_run_set_volume(mpd, 55));
    CALL(mpd_run_change_volume(mpd, -5));
    printf("  volume %d\n", mpd_run_get_volume(mpd));
    CALL(mpd_run_set_volume(mpd, 101));
    CALL(mpd_run_repeat(mpd, true));
    CALL(mpd_run_random(mpd, true));
    CALL(mpd_run_random(mpd, false));
    CALL(mpd_run_single_state(mpd, MPD_SINGLE_ONESHOT));
    print_status();
    CALL(mpd_run_single(mpd, false));
    CALL(mpd_run_consume(mpd, true));
    CALL(mpd_run_crossfade(mpd, 3));
    CALL(mpd_run_mixrampdb(mpd, -12.5));
    CALL(mpd_run_mixrampdelay(mpd, 1.5));
    print_status();
    CALL(mpd_run_consume(mpd, false));
    CALL(mpd_run_repeat(mpd, false));
    CALL(mpd_run_crossfade(mpd, 0));
    CALL(mpd_run_mixrampdb(mpd, 0));
    CALL(mpd_run_mixrampdelay(mpd, -1));
    for (int mode = MPD_REPLAY_OFF; mode <= MPD_REPLAY_AUTO; mode++) {
        CALL(mpd_run_replay_gain_mode(mpd, mode));
        printf("  replay gain %d\n", (int)mpd_run_replay_gain_status(mpd));
    }
    CALL(mpd_run_replay_gain_mode(mpd, MPD_REPLAY_OFF));
    CALL(mpd_run_clearerror(mpd));
    CALL(mpd_run_stop(mpd));
    print_status();
}

static void group_ranges(void)
{
    CALL(mpd_run_add(mpd, "Nora Hale"));
    unsigned first = id_at(0);
    CALL(mpd_run_range_id(mpd, first, 10, 20));
    SONGS(mpd_send_get_queue_song_pos(mpd, 0));
    CALL(mpd_run_play_id(mpd, first));
    CALL(mpd_run_range_id(mpd, first, 30, 40));
    CALL(mpd_run_stop(mpd));
    CALL(mpd_run_range_id(mpd, first, 30, -1));
    SONGS(mpd_send_get_queue_song_pos(mpd, 0));
    CALL(mpd_run_range_id(mpd, first, -1, -1));
    SONGS(mpd_send_get_queue_song_pos(mpd, 0));
    CALL(mpd_run_range_id(mpd, 99999, 1, 2));
    CALL(mpd_run_range_id(mpd, first, 1000, 2000));
}

static void group_queue_tags(void)
{
    CALL(mpd_run_add(mpd, SONG));
    CALL(mpd_run_add(mpd, "http://127.0.0.1:9/radio.ogg"));
    unsigned song = id_at(0), stream = id_at(1);
    CALL(mpd_run_add_tag_id(mpd, song, MPD_TAG_TITLE, "no"));
    CALL(mpd_run_clear_all_tags_id(mpd, song));
    CALL(mpd_run_add_tag_id(mpd, stream, MPD_TAG_TITLE, "Night Radio"));
    CALL(mpd_run_add_tag_id(mpd, stream, MPD_TAG_ARTIST, "Somebody"));
    CALL(mpd_run_clear_tag_id(mpd, stream, MPD_TAG_ARTIST));
    SONGS(mpd_send_get_queue_song_pos(mpd, 1));
    CALL(mpd_run_clear_all_tags_id(mpd, stream));
    SONGS(mpd_send_get_queue_song_pos(mpd, 1));
}

static void group_playlists(void)
{
    CALL(mpd_run_add(mpd, ALBUM));
    CALL(mpd_run_save(mpd, "one"));
    CALL(mpd_run_save(mpd, "one"));
    CALL(mpd_run_playlist_add(mpd, "one", SONG));
    CALL(mpd_run_playlist_add(mpd, "two", LONG_SONG));
    CALL(mpd_run_playlist_add_to(mpd, "one", LONG_SONG, 1));
    CALL(mpd_run_playlist_add(mpd, "one", "no such song"));
    SONGS(mpd_send_list_playlist(mpd, "one"));
    CALL(mpd_run_playlist_move(mpd, "one", 0, 3));
    CALL(mpd_run_playlist_delete(mpd, "one", 1));
    SONGS(mpd_send_list_playlist_meta(mpd, "one"));
    CALL(mpd_run_clear(mpd));
    CALL(mpd_run_load_range(mpd, "one", 1, 3));
    CALL(mpd_run_load_range_to(mpd, "one", 0, 1, 0, MPD_POSITION_ABSOLUTE));
    print_queue();
    CALL(mpd_run_playlist_delete_range(mpd, "one", 1, 3));
    SONGS(mpd_send_list_playlist(mpd, "one"));
    CALL(mpd_run_playlist_delete(mpd, "one", 99));
    CALL(mpd_run_rename(mpd, "one", "two"));
    CALL(mpd_run_rename(mpd, "one", "three"));
    CALL(mpd_run_load(mpd, "one"));
    CALL(mpd_run_playlist_clear(mpd, "three"));
    SONGS(mpd_send_list_playlist(mpd, "three"));
    struct mpd_playlist *playlist;
    for (bool sent = mpd_send_list_playlists(mpd); sent && (playlist = mpd_recv_playlist(mpd)) != NULL;
         mpd_playlist_free(playlist))
        printf("  playlist, dated: %d\n", mpd_playlist_get_last_modified(playlist) > 0);
    report("the playlists", mpd_response_finish(mpd));
    CALL(mpd_run_rm(mpd, "two"));
    CALL(mpd_run_rm(mpd, "three"));
    CALL(mpd_run_rm(mpd, "three"));
}

static void group_database(void)
{
    struct mpd_entity *entity;
    for (bool sent = mpd_send_list_meta(mpd, "Ada Quartet"); sent && (entity = mpd_recv_entity(mpd)) != NULL;
         mpd_entity_free(entity))
        if (mpd_entity_get_type(entity) == MPD_ENTITY_TYPE_DIRECTORY)
            printf("  folder %s\n", mpd_directory_get_path(mpd_entity_get_directory(entity)));
    report("lsinfo", mpd_response_finish(mpd));
    SONGS(mpd_send_list_all_meta(mpd, ALBUM));
    unsigned files = 0;
    for (bool sent = mpd_send_list_all(mpd, ""); sent && (entity = mpd_recv_entity(mpd)) != NULL;
         mpd_entity_free(entity))
        files++;
    report("listall", mpd_response_finish(mpd));
    printf("  %u entities\n", files);
    CALL(mpd_search_db_songs(mpd, true) && WITH_TAG(MPD_TAG_GENRE, "Folk")
         && mpd_search_add_sort_tag(mpd, MPD_TAG_TITLE, true) && mpd_search_add_window(mpd, 1, 4)
         && mpd_search_commit(mpd));
    print_songs("the songs", true);
    CALL(mpd_search_db_songs(mpd, false) && mpd_search_add_any_tag_constraint(mpd, MPD_OPERATOR_DEFAULT, "TAB")
         && mpd_search_commit(mpd));
    print_songs("the songs", true);
    CALL(mpd_search_db_songs(mpd, true) && mpd_search_add_base_constraint(mpd, MPD_OPERATOR_DEFAULT, "Nora Hale")
         && mpd_search_add_sort_name(mpd, "Last-Modified", false) && mpd_search_commit(mpd));
    print_songs("the songs", true);
    CALL(mpd_search_db_songs(mpd, true)
         && mpd_search_add_modified_since_constraint(mpd, MPD_OPERATOR_DEFAULT, 4102444800)
         && mpd_search_commit(mpd));
    print_songs("no songs", true);
    CALL(mpd_search_db_songs(mpd, true)
         && mpd_search_add_expression(mpd, "((artist == \"Ilse Brandt\") AND (disc == \"1\"))")
         && mpd_search_commit(mpd));
    print_songs("the songs", true);
    CALL(mpd_search_db_songs(mpd, true) && mpd_search_add_uri_constraint(mpd, MPD_OPERATOR_DEFAULT, SONG)
         && mpd_search_commit(mpd));
    print_songs("the song", true);
    CALL(mpd_search_db_tags(mpd, MPD_TAG_ALBUM) && mpd_search_add_group_tag(mpd, MPD_TAG_ALBUM_ARTIST)
         && mpd_search_commit(mpd));
    print_pairs("the albums", true);
    // Fall-backs: without a sort name the name itself counts.
    CALL(mpd_search_db_tags(mpd, MPD_TAG_ALBUM_ARTIST_SORT) && mpd_search_commit(mpd));
    print_pairs("the sort names", true);
    CALL(mpd_search_db_songs(mpd, true)
         && WITH_TAG(MPD_TAG_ALBUM_ARTIST, "Ángel Ruiz")
         && mpd_search_commit(mpd));
    print_songs("the song of an artist", true);
    CALL(mpd_count_db_songs(mpd) && WITH_TAG(MPD_TAG_DATE, "2012-03-04")
         && mpd_search_commit(mpd));
    print_pairs("the count", true);
    CALL(mpd_search_add_db_songs(mpd, true) && WITH_TAG(MPD_TAG_TITLE, "Lamp")
         && mpd_search_commit(mpd));
    report("findadd", mpd_response_finish(mpd));
    CALL(mpd_search_add_db_songs(mpd, true) && WITH_TAG(MPD_TAG_TITLE, "Road")
         && mpd_search_add_position(mpd, 0, MPD_POSITION_ABSOLUTE) && mpd_search_commit(mpd));
    report("findadd at the front", mpd_response_finish(mpd));
    CALL(mpd_search_add_db_songs_to_playlist(mpd, "found")
         && WITH_TAG(MPD_TAG_ARTIST, "ada") && mpd_search_commit(mpd));
    report("searchaddpl", mpd_response_finish(mpd));
    SONGS(mpd_send_list_playlist(mpd, "found"));
    CALL(mpd_run_rm(mpd, "found"));
    print_queue();
    CALL(mpd_search_queue_songs(mpd, false) && WITH_TAG(MPD_TAG_TITLE, "LAM")
         && mpd_search_commit(mpd));
    print_songs("the song in the queue", true);
    struct mpd_stats *stats = mpd_run_stats(mpd);
    if (report("stats", stats != NULL)) {
        printf("  %u artists, %u albums, %u songs, %lu s, dated: %d\n", mpd_stats_get_number_of_artists(stats),
               mpd_stats_get_number_of_albums(stats), mpd_stats_get_number_of_songs(stats),
               mpd_stats_get_db_play_time(stats), mpd_stats_get_db_update_time(stats) > 0);
        mpd_stats_free(stats);
    }
    CALL(mpd_run_update(mpd, ALBUM) > 0);
    CALL(mpd_run_rescan(mpd, NULL) > 0);
}

static void group_tag_types(void)
{
    enum mpd_tag_type few[] = { MPD_TAG_TITLE, MPD_TAG_ARTIST };
    CALL(mpd_run_clear_tag_types(mpd));
    SONGS(mpd_send_list_all_meta(mpd, SONG));
    CALL(mpd_run_enable_tag_types(mpd, few, 2));
    SONGS(mpd_send_list_all_meta(mpd, SONG));
    PAIRS(mpd_send_list_tag_types(mpd));
    CALL(mpd_run_disable_tag_types(mpd, few, 1));
    SONGS(mpd_send_list_all_meta(mpd, SONG));
    CALL(mpd_run_all_tag_types(mpd));
    SONGS(mpd_send_list_all_meta(mpd, SONG));
}

static void group_outputs(void)
{
    struct mpd_output *output;
    for (int round = 0; round < 3; round++) {
        for (bool sent = mpd_send_outputs(mpd); sent && (output = mpd_recv_output(mpd)) != NULL;
             mpd_output_free(output)) {
            printf("  output %u %s plugin %s enabled %d", mpd_output_get_id(output), mpd_output_get_name(output),
                   mpd_output_get_plugin(output), mpd_output_get_enabled(output));
            for (const struct mpd_pair *pair = mpd_output_first_attribute(output); pair != NULL;
                 pair = mpd_output_next_attribute(output))
                printf(" %s=%s", pair->name, pair->value);
            printf("\n");
        }
        report("the outputs", mpd_response_finish(mpd));
        if (round == 0) {
            CALL(mpd_run_disable_output(mpd, 0));
            CALL(mpd_run_toggle_output(mpd, 1));
        } else {
            CALL(mpd_run_enable_output(mpd, 0));
            CALL(mpd_run_enable_output(mpd, 1));
        }
    }
    CALL(mpd_run_enable_output(mpd, 9));
    CALL(mpd_run_output_set(mpd, 0, "nothing", "1"));
    CALL(mpd_run_output_set(mpd, 9, "nothing", "1"));
}

static void fetch(const char *what, const char *uri, size_t piece,
                  int (*run)(struct mpd_connection *, const char *, unsigned, void *, size_t))
{
    static unsigned char buffer[1 << 20];
    unsigned offset = 0, sum = 0;
    for (int got; (got = run(mpd, uri, offset, buffer, piece)) > 0; offset += got)
        for (int i = 0; i < got; i++)
            sum = sum * 31 + buffer[i];
    printf("  %s %s: %u bytes, %u\n", what, uri, offset, sum);
    report(what, mpd_connection_get_error(mpd) == MPD_ERROR_SUCCESS);
}

static void group_art(void)
{
    CALL(mpd_run_binarylimit(mpd, 1000));
    fetch("albumart", LARGE_COVER, 1000, mpd_run_albumart);
    fetch("readpicture", SONG, 1000, mpd_run_readpicture);
    CALL(mpd_run_binarylimit(mpd, 1 << 20));
    fetch("albumart", LARGE_COVER, 1 << 20, mpd_run_albumart);
    fetch("albumart", SONG, 1 << 20, mpd_run_albumart);
    fetch("readpicture", LARGE_COVER, 1 << 20, mpd_run_readpicture);
    fetch("readpicture", "Loose/untagged.ogg", 1 << 20, mpd_run_readpicture);
    fetch("albumart", "Loose/untagged.ogg", 1 << 20, mpd_run_albumart);
    fetch("readpicture", "no such song", 1 << 20, mpd_run_readpicture);
    CALL(mpd_run_binarylimit(mpd, 63));
}

static void group_channels(void)
{
    struct mpd_message *message;
    CALL(mpd_run_subscribe(mpd, "attic"));
    CALL(mpd_run_subscribe(mpd, "attic"));
    CALL(mpd_run_subscribe(mpd, "not a name"));
    CALL(mpd_run_subscribe(mpd, "cellar"));
    PAIRS(mpd_send_channels(mpd));
    CALL(mpd_run_send_message(mpd, "attic", "first: \"quoted\" and \\ back"));
    CALL(mpd_run_send_message(mpd, "attic", "second"));
    CALL(mpd_run_send_message(mpd, "nobody", "third"));
    enum mpd_idle events = mpd_run_idle_mask(mpd, MPD_IDLE_MESSAGE);
    printf("  events %d\n", (int)events);
    for (bool sent = mpd_send_read_messages(mpd); sent && (message = mpd_recv_message(mpd)) != NULL;
         mpd_message_free(message))
        printf("  %s: %s\n", mpd_message_get_channel(message), mpd_message_get_text(message));
    report("the messages", mpd_response_finish(mpd));
    CALL(mpd_run_unsubscribe(mpd, "attic"));
    CALL(mpd_run_unsubscribe(mpd, "attic"));
    PAIRS(mpd_send_channels(mpd));
}

static void group_idle(void)
{
    // Each ends at once: what it asks for changed since the last idle.
    CALL(mpd_run_add(mpd, SONG));
    printf("  playlist event %d\n", (mpd_run_idle_mask(mpd, MPD_IDLE_QUEUE) & MPD_IDLE_QUEUE) != 0);
    CALL(mpd_run_repeat(mpd, true));
    printf("  options event %d\n", (mpd_run_idle_mask(mpd, MPD_IDLE_OPTIONS) & MPD_IDLE_OPTIONS) != 0);
    CALL(mpd_send_idle_mask(mpd, MPD_IDLE_STORED_PLAYLIST));
    printf("  nothing happened: %d\n", (int)mpd_run_noidle(mpd));
    CALL(mpd_run_repeat(mpd, false));
    CALL(mpd_command_list_begin(mpd, true) && mpd_send_status(mpd) && mpd_send_current_song(mpd)
         && mpd_command_list_end(mpd));
    struct mpd_status *status = mpd_recv_status(mpd);
    printf("  status in a list: %d\n", status != NULL);
    if (status != NULL)
        mpd_status_free(status);
    CALL(mpd_response_next(mpd));
    printf("  no current song: %d\n", mpd_recv_song(mpd) == NULL);
    CALL(mpd_response_finish(mpd));
    CALL(mpd_command_list_begin(mpd, true) && mpd_send_play_pos(mpd, 77) && mpd_send_stop(mpd)
         && mpd_command_list_end(mpd) && mpd_response_finish(mpd));
}

static void group_stickers(void)
{
    CALL(mpd_run_sticker_set(mpd, "song", SONG, "rating", "8"));
    CALL(mpd_run_sticker_set(mpd, "song", LARGE_COVER, "rating", "3 = three"));
    CALL(mpd_run_sticker_set(mpd, "song", SONG, "rating", "10"));
    CALL(mpd_run_sticker_set(mpd, "song", SONG, "mood", ""));
    CALL(mpd_run_sticker_set(mpd, "song", "no such song", "rating", "1"));
    CALL(mpd_run_sticker_set(mpd, "nonsense", SONG, "rating", "1"));
    PAIRS(mpd_send_sticker_get(mpd, "song", SONG, "rating"));
    PAIRS(mpd_send_sticker_get(mpd, "song", SONG, "nothing"));
    PAIRS(mpd_send_sticker_list(mpd, "song", SONG));
    PAIRS(mpd_send_sticker_find(mpd, "song", "", "rating"));
    PAIRS(mpd_send_sticker_find(mpd, "song", ALBUM, "rating"));
    CALL(mpd_run_sticker_delete(mpd, "song", SONG, "rating"));
    CALL(mpd_run_sticker_delete(mpd, "song", SONG, "rating"));
    CALL(mpd_run_sticker_delete(mpd, "song", SONG, "mood"));
    CALL(mpd_run_sticker_delete(mpd, "song", LARGE_COVER, "rating"));
    PAIRS(mpd_send_sticker_list(mpd, "song", SONG));
}

static void group_partitions(void)
{
    PAIRS(mpd_send_listpartitions(mpd));
    CALL(mpd_run_newpartition(mpd, "kitchen"));
    CALL(mpd_run_newpartition(mpd, "kitchen"));
    CALL(mpd_run_newpartition(mpd, "not a name"));
    CALL(mpd_run_switch_partition(mpd, "nowhere"));
    CALL(mpd_run_add(mpd, SONG));
    CALL(mpd_run_switch_partition(mpd, "kitchen"));
    print_queue();
    CALL(mpd_run_add(mpd, LONG_SONG));
    CALL(mpd_run_repeat(mpd, true));
    CALL(mpd_run_move_output(mpd, "Nowhere"));
    CALL(mpd_run_move_output(mpd, "no such output"));
    PAIRS(mpd_send_outputs(mpd));
    print_queue();
    CALL(mpd_run_delete_partition(mpd, "kitchen"));
    CALL(mpd_run_switch_partition(mpd, "default"));
    print_queue();
    print_status();
    PAIRS(mpd_send_listpartitions(mpd));
    CALL(mpd_run_move_output(mpd, "Nowhere"));
    CALL(mpd_run_delete_partition(mpd, "kitchen"));
    CALL(mpd_run_delete_partition(mpd, "default"));
    CALL(mpd_run_delete_partition(mpd, "nowhere"));
    PAIRS(mpd_send_listpartitions(mpd));
}

static void group_mounts(void)
{
    struct mpd_mount *mount;
    for (bool sent = mpd_send_list_mounts(mpd); sent && (mount = mpd_recv_mount(mpd)) != NULL; mpd_mount_free(mount))
        printf("  mount '%s'\n", mpd_mount_get_uri(mount));
    report("the mounts", mpd_response_finish(mpd));
    CALL(mpd_run_mount(mpd, "stick", "nonsense://nowhere"));
    CALL(mpd_run_unmount(mpd, "stick"));
    CALL(mpd_run_mount(mpd, "", "nonsense://nowhere"));
}

static void group_various(void)
{
    PAIRS(mpd_send_read_comments(mpd, "no such song"));
    unsigned commands = 0, refused = 0;
    struct mpd_pair *pair;
    for (bool sent = mpd_send_allowed_commands(mpd); sent && (pair = mpd_recv_command_pair(mpd)) != NULL;
         mpd_return_pair(mpd, pair))
        commands++;
    report("the commands", mpd_response_finish(mpd));
    for (bool sent = mpd_send_disallowed_commands(mpd); sent && (pair = mpd_recv_command_pair(mpd)) != NULL;
         mpd_return_pair(mpd, pair))
        refused++;
    report("the refused commands", mpd_response_finish(mpd));
    printf("  many %d, refused over TCP %d\n", commands > 90, refused > 0);
    unsigned schemes = 0;
    for (bool sent = mpd_send_list_url_schemes(mpd); sent && (pair = mpd_recv_url_scheme_pair(mpd)) != NULL;
         mpd_return_pair(mpd, pair))
        schemes += strcmp(pair->value, "http://") == 0 || strcmp(pair->value, "https://") == 0;
    report("the schemes", mpd_response_finish(mpd));
    printf("  http and https: %u\n", schemes);
    CALL(mpd_run_password(mpd, "wrong"));
    CALL(mpd_send_command(mpd, "no_such_command", NULL) && mpd_response_finish(mpd));
}

static void group_fingerprint(void)
{
    static char text[8192];
    const char *print = mpd_run_getfingerprint_chromaprint(mpd, LONG_SONG, text, sizeof(text));
    report("the fingerprint", print != NULL);
    printf("  it is long: %d\n", print != NULL && strlen(print) > 50);
}

static const struct {
    const char *name;
    void (*run)(void);
} GROUPS[] = {
    { "queue", group_queue }, { "playing", group_playing }, { "ranges", group_ranges },
    { "queue_tags", group_queue_tags },
    { "playlists", group_playlists }, { "database", group_database }, { "tag_types", group_tag_types },
    { "outputs", group_outputs }, { "art", group_art }, { "channels", group_channels }, { "idle", group_idle },
    { "stickers", group_stickers }, { "partitions", group_partitions }, { "mounts", group_mounts },
    { "various", group_various }, { "fingerprint", group_fingerprint },
};

int main(int count, char **arguments)
{
    if (count != 4)
        return 2;
    mpd = mpd_connection_new(arguments[1], strtoul(arguments[2], NULL, 10), 60000);
    if (!report("connecting", mpd != NULL))
        return 1;
    CALL(mpd_run_clear(mpd));
    for (size_t i = 0; i < sizeof(GROUPS) / sizeof(GROUPS[0]); i++)
        if (strcmp(GROUPS[i].name, arguments[3]) == 0) {
            GROUPS[i].run();
            mpd_connection_free(mpd);
            return 0;
        }
    return 2;
}
