/* Strings are not joined in D, so the formats of C for each integer are not here: %d and %x show integers of every size. */
#include <stdint.h>
