/*
 * Types and constants that the other library files and scripts build on.
 */

typedef uint16_t wchar_t;

inline int NULL = 0;
