#include "effect.h"

#include <string.h>

/// True if all that a pad takes or gives is raw sound in memory.
static gboolean is_raw_sound(GstStaticPadTemplate *pad) {
    if (pad->presence != GST_PAD_ALWAYS) return FALSE;
    GstCaps *caps = gst_static_pad_template_get_caps(pad);
    gboolean result = !gst_caps_is_any(caps) && !gst_caps_is_empty(caps);
    for (guint index = 0; result && index < gst_caps_get_size(caps); index++) {
        GstCapsFeatures *features = gst_caps_get_features(caps, index);
        result = gst_structure_has_name(gst_caps_get_structure(caps, index), "audio/x-raw")
            && (!features || gst_caps_features_is_equal(features, GST_CAPS_FEATURES_MEMORY_SYSTEM_MEMORY));
    }
    gst_caps_unref(caps);
    return result;
}

static gboolean is_filter(GstElementFactory *factory) {
    const gchar *kind = gst_element_factory_get_metadata(factory, GST_ELEMENT_METADATA_KLASS);
    if (!kind || !strstr(kind, "Audio") || !(strstr(kind, "Filter") || strstr(kind, "Effect"))) return FALSE;
    guint inputs = 0, outputs = 0;
    for (const GList *item = gst_element_factory_get_static_pad_templates(factory); item; item = item->next) {
        GstStaticPadTemplate *pad = (GstStaticPadTemplate *)item->data;
        if (!is_raw_sound(pad)) return FALSE;
        if (pad->direction == GST_PAD_SINK) inputs++;
        if (pad->direction == GST_PAD_SRC) outputs++;
    }
    return inputs == 1 && outputs == 1;
}

SegueEffectKind segue_effect_kind(const char *name) {
    if (!gst_is_initialized() && !gst_init_check(NULL, NULL, NULL)) return SEGUE_EFFECT_MISSING;
    GstElementFactory *factory = gst_element_factory_find(name);
    if (!factory) return SEGUE_EFFECT_MISSING;
    gboolean suits = is_filter(factory);
    gst_object_unref(factory);
    return suits ? SEGUE_EFFECT_SUITS : SEGUE_EFFECT_OTHER;
}

/// Properties by which an element tells its program of the sound, as often as every nanosecond. Nothing here hears it.
static const char *const talk[] = {"post-messages", "message", "messages", "interval", NULL};

GstElement *segue_effect_make(const char *factory) {
    GstElement *element = gst_element_factory_make(factory, NULL);
    if (!element) return NULL;
    for (gsize index = 0; talk[index]; index++) {
        GParamSpec *spec = g_object_class_find_property(G_OBJECT_GET_CLASS(element), talk[index]);
        if (spec && G_IS_PARAM_SPEC_BOOLEAN(spec) && (spec->flags & G_PARAM_WRITABLE)) {
            g_object_set(element, talk[index], FALSE, NULL);
        }
    }
    return GST_ELEMENT(gst_object_ref_sink(element));
}

// Properties.

/// Times in GStreamer's nanoseconds have a limit, or an echo would keep hours of sound.
static const gint64 longest_time = 10 * GST_SECOND;

/// The largest whole number, which may be how many of something an element keeps: its own limits are not for strangers.
/// The longest filter there is has 256,000 taps; of bands none needs more than 4,096.
static gint64 largest(GParamSpec *spec) { return strcmp(spec->name, "bands") == 0 ? 4096 : 262144; }

/// The number of a choice, by its nickname, name or number; FALSE if there is none.
static gboolean choice(GParamSpec *spec, const char *text, GValue *value) {
    GEnumClass *choices = G_PARAM_SPEC_ENUM(spec)->enum_class;
    GEnumValue *found = g_enum_get_value_by_nick(choices, text);
    if (!found) found = g_enum_get_value_by_name(choices, text);
    gint64 number;
    if (!found && g_ascii_string_to_signed(text, 10, G_MININT, G_MAXINT, &number, NULL)) {
        found = g_enum_get_value(choices, (gint)number);
    }
    if (found) g_value_set_enum(value, found->value);
    return found != NULL;
}

static gboolean truth(const char *text, GValue *value) {
    static const char *const yes[] = {"true", "1", "yes", "on", NULL}, *const no[] = {"false", "0", "no", "off", NULL};
    gboolean is_true = g_strv_contains(yes, text);
    g_value_set_boolean(value, is_true);
    return is_true || g_strv_contains(no, text);
}

static gboolean fraction(const char *text, gdouble *number) {
    char *end = NULL;
    *number = g_ascii_strtod(text, &end);
    return end != text && *end == 0 && *number - *number == 0;
}

/// Reads a value of the property's type; FALSE where the text is none. `is_settable` stays for types that are set here.
static gboolean read_value(GParamSpec *spec, const char *text, GValue *value, gboolean *is_settable) {
    gint64 number = 0;
    guint64 positive = 0;
    gdouble real = 0;
    switch (G_TYPE_FUNDAMENTAL(G_PARAM_SPEC_VALUE_TYPE(spec))) {
        case G_TYPE_BOOLEAN: return truth(text, value);
        case G_TYPE_ENUM: return choice(spec, text, value);
        case G_TYPE_INT:
            if (!g_ascii_string_to_signed(text, 10, -largest(spec), largest(spec), &number, NULL)) return FALSE;
            g_value_set_int(value, (gint)number);
            return TRUE;
        case G_TYPE_UINT:
            if (!g_ascii_string_to_unsigned(text, 10, 0, (guint64)largest(spec), &positive, NULL)) return FALSE;
            g_value_set_uint(value, (guint)positive);
            return TRUE;
        case G_TYPE_INT64:
            if (!g_ascii_string_to_signed(text, 10, -longest_time, longest_time, &number, NULL)) return FALSE;
            g_value_set_int64(value, number);
            return TRUE;
        case G_TYPE_UINT64:
            if (!g_ascii_string_to_unsigned(text, 10, 0, (guint64)longest_time, &positive, NULL)) return FALSE;
            g_value_set_uint64(value, positive);
            return TRUE;
        case G_TYPE_FLOAT:
            if (!fraction(text, &real)) return FALSE;
            g_value_set_float(value, (gfloat)real);
            return TRUE;
        case G_TYPE_DOUBLE:
            if (!fraction(text, &real)) return FALSE;
            g_value_set_double(value, real);
            return TRUE;
        default: *is_settable = FALSE; return FALSE;
    }
}

/// The values that a property takes, for a person; to be freed.
static char *range(GParamSpec *spec) {
    if (G_IS_PARAM_SPEC_INT(spec)) {
        GParamSpecInt *limits = G_PARAM_SPEC_INT(spec);
        gint64 most = largest(spec);
        return g_strdup_printf(
            "a number from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT, MAX(limits->minimum, -most), MIN(limits->maximum, most)
        );
    }
    if (G_IS_PARAM_SPEC_UINT(spec)) {
        GParamSpecUInt *limits = G_PARAM_SPEC_UINT(spec);
        return g_strdup_printf(
            "a number from %u to %" G_GINT64_FORMAT, limits->minimum, MIN(limits->maximum, largest(spec))
        );
    }
    if (G_IS_PARAM_SPEC_FLOAT(spec)) {
        GParamSpecFloat *limits = G_PARAM_SPEC_FLOAT(spec);
        return g_strdup_printf("a number from %g to %g", (double)limits->minimum, (double)limits->maximum);
    }
    if (G_IS_PARAM_SPEC_DOUBLE(spec)) {
        GParamSpecDouble *limits = G_PARAM_SPEC_DOUBLE(spec);
        return g_strdup_printf("a number from %g to %g", limits->minimum, limits->maximum);
    }
    if (G_IS_PARAM_SPEC_ENUM(spec)) {
        GEnumClass *choices = G_PARAM_SPEC_ENUM(spec)->enum_class;
        GString *text = g_string_new("one of");
        for (guint index = 0; index < choices->n_values && index < 32; index++) {
            g_string_append_printf(text, "%s %s", index > 0 ? "," : "", choices->values[index].value_nick);
        }
        return g_string_free(text, FALSE);
    }
    if (G_IS_PARAM_SPEC_BOOLEAN(spec)) return g_strdup("true or false");
    return g_strdup("a number of nanoseconds, of 10 s at the most");
}

/// Finds a property of the element or, with `::`, of one of its bands; the object's reference is the caller's.
static GObject *find_property(GstElement *element, const char *name, GParamSpec **spec) {
    GObject *object = NULL;
    if (strstr(name, "::")) {
        // The inner elements of a bin are its own affair.
        if (GST_IS_BIN(element) || !GST_IS_CHILD_PROXY(element)) return NULL;
        return gst_child_proxy_lookup(GST_CHILD_PROXY(element), name, &object, spec) ? object : NULL;
    }
    *spec = g_object_class_find_property(G_OBJECT_GET_CLASS(element), name);
    return *spec ? G_OBJECT(g_object_ref(element)) : NULL;
}

char *segue_effect_set(GstElement *element, const char *property, const char *text) {
    GParamSpec *spec = NULL;
    GObject *object = find_property(element, property, &spec);
    if (!object) return g_strdup_printf("it has no property \"%s\"", property);
    char *problem = NULL;
    GValue value = G_VALUE_INIT;
    g_value_init(&value, G_PARAM_SPEC_VALUE_TYPE(spec));
    gboolean is_settable = (spec->flags & G_PARAM_WRITABLE) && !(spec->flags & G_PARAM_CONSTRUCT_ONLY)
        && !g_strv_contains(talk, spec->name);
    gboolean is_read = is_settable && read_value(spec, text, &value, &is_settable);
    // Changes what is out of range, and says so.
    if (!is_settable) {
        problem = g_strdup_printf("its property \"%s\" is none of numbers and choices that can be set", property);
    } else if (!is_read || g_param_value_validate(spec, &value)) {
        char *expected = range(spec);
        problem = g_strdup_printf("its property \"%s\" can't be \"%s\"; it is %s", property, text, expected);
        g_free(expected);
    } else {
        g_object_set_property(object, spec->name, &value);
    }
    g_value_unset(&value);
    g_object_unref(object);
    return problem;
}
