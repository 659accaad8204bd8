// QR codes, by libqrencode.
#include <qrencode.h>
