/*
 * Types that the other library files and scripts build on. (The C types, the fixed-width
 * ones, wchar_t of 16 bits and NULL are built in.)
 */

typedef enum { B_FALSE, B_TRUE } boolean_t;

typedef uint32_t ipaddr_t;
typedef uint32_t in_addr_t;
