// A sound card of ALSA's with one control, "Headphone Jack", for a configuration that names this as its type.
// Each byte that comes out of the pipe `path` is the state of the jack: '1' plugged, '0' pulled.
#include <alsa/asoundlib.h>
#include <alsa/control_external.h>
#include <fcntl.h>

struct card {
    snd_ctl_ext_t ext;
    int plugged;
};

static int elem_count(snd_ctl_ext_t *ext) { return 1; }

static int elem_list(snd_ctl_ext_t *ext, unsigned int offset, snd_ctl_elem_id_t *id) {
    snd_ctl_elem_id_set_interface(id, SND_CTL_ELEM_IFACE_CARD);
    snd_ctl_elem_id_set_name(id, "Headphone Jack");
    return 0;
}

static snd_ctl_ext_key_t find_elem(snd_ctl_ext_t *ext, const snd_ctl_elem_id_t *id) { return 1; }

static int get_attribute(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, int *type, unsigned int *access,
                         unsigned int *count) {
    *type = SND_CTL_ELEM_TYPE_BOOLEAN;
    *access = SND_CTL_EXT_ACCESS_READ;
    *count = 1;
    return 0;
}

static int read_integer(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *value) {
    *value = ((struct card *)ext)->plugged;
    return 0;
}

static void subscribe_events(snd_ctl_ext_t *ext, int subscribe) {}

static int read_event(snd_ctl_ext_t *ext, snd_ctl_elem_id_t *id, unsigned int *mask) {
    char state;
    if (read(ext->poll_fd, &state, 1) != 1) return -EAGAIN;
    ((struct card *)ext)->plugged = state == '1';
    elem_list(ext, 0, id);
    *mask = SND_CTL_EVENT_MASK_VALUE;
    return 1;
}

static void close_card(snd_ctl_ext_t *ext) { free(ext); }

static const snd_ctl_ext_callback_t calls = {
    .close = close_card, .elem_count = elem_count, .elem_list = elem_list, .find_elem = find_elem,
    .get_attribute = get_attribute, .read_integer = read_integer, .subscribe_events = subscribe_events,
    .read_event = read_event,
};

SND_CTL_PLUGIN_DEFINE_FUNC(jack) {
    snd_config_t *entry;
    const char *path;
    if (snd_config_search(conf, "path", &entry) < 0 || snd_config_get_string(entry, &path) < 0) return -EINVAL;
    struct card *card = calloc(1, sizeof *card);
    if (!card) return -ENOMEM;
    card->plugged = 1;
    card->ext.version = SND_CTL_EXT_VERSION;
    strcpy(card->ext.id, "jack");
    strcpy(card->ext.driver, "jack");
    strcpy(card->ext.name, "jack");
    card->ext.callback = &calls;
    card->ext.private_data = card;
    // Both ends, so that it stays open while nothing is written.
    card->ext.poll_fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    int failure = snd_ctl_ext_create(&card->ext, name, mode);
    if (failure < 0) {
        free(card);
        return failure;
    }
    *handlep = card->ext.handle;
    return 0;
}
SND_CTL_PLUGIN_SYMBOL(jack);
