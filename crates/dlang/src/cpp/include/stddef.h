/* size_t, ptrdiff_t, NULL and offsetof() are part of D. */
#ifndef _D_STDDEF_H
#define _D_STDDEF_H
typedef int wint_t;
#endif
