// PCRE2 for texts of bytes; the header wants to know the width before it is read.
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
