// The files of the web page, which are part of the program.
#ifndef SEGUE_WEB_PAGE_H
#define SEGUE_WEB_PAGE_H

#include <stddef.h>

/// A file of the page.
struct web_page_file {
    /// Its path below `files`, such as `js/main.js`.
    const char *path;
    /// Its bytes, which stay as long as the program runs.
    const unsigned char *bytes;
    /// How many there are.
    size_t size;
};

/// How many files there are.
size_t web_page_file_count(void);
/// One of them, counted from 0 in the order of their paths.
struct web_page_file web_page_file_at(size_t index);

#endif
