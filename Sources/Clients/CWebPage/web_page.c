// Written by contrib/embed-page; a change inside of a file needs no change here.
#include "web_page.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_index_html[] = {
#embed "files/index.html"
};

static const struct web_page_file files[] = {
    {"index.html", file_index_html, sizeof file_index_html},
};

size_t web_page_file_count(void) { return sizeof files / sizeof *files; }

struct web_page_file web_page_file_at(size_t index) { return files[index]; }
