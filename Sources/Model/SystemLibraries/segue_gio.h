// GIO's D-Bus, as far as Segue uses it.
#pragma once
#include <gio/gio.h>
