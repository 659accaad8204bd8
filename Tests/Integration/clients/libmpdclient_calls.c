/* Calls libmpdclient's functions, group by group, and prints what the library made of the answers.
 * usage: libmpdclient_calls HOST PORT GROUP; the test compares the output with the one from MPD. */
#include <mpd/client.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct mpd_connection *mpd;
static const char *const SONG = "Ada Quartet/First Light/01 Sill.flac";
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
    { "ranges", group_ranges }, { "queue_tags", group_queue_tags }, { "tag_types", group_tag_types },
    { "idle", group_idle }, { "partitions", group_partitions }, { "fingerprint", group_fingerprint },
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
