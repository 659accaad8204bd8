// ALSA's mixers and maps of channels, as far as Segue uses them.
#pragma once
#include <alsa/asoundlib.h>
#include <sys/eventfd.h>

/// Opens the mixer of a device; NULL and an error code when that fails.
static inline snd_mixer_t *segue_alsa_open(const char *device, int *error) {
    snd_mixer_t *mixer = NULL;
    *error = snd_mixer_open(&mixer, 0);
    if (*error < 0) return NULL;
    *error = snd_mixer_attach(mixer, device);
    if (*error >= 0) *error = snd_mixer_selem_register(mixer, NULL, NULL);
    if (*error >= 0) *error = snd_mixer_load(mixer);
    if (*error >= 0) return mixer;
    snd_mixer_close(mixer);
    return NULL;
}

/// The place of a channel, whose number is less than that of the map's channels.
static inline unsigned segue_chmap_position(const snd_pcm_chmap_t *map, unsigned channel) { return map->pos[channel]; }
