/*
 * Types that the other library files and scripts build on. (The C types, the fixed-width
 * ones, wchar_t of 16 bits and NULL are built in.)
 */

typedef uint32_t ipaddr_t;
typedef uint32_t in_addr_t;

/* Text of a traced event: reads as a string, without stringof(). */
typedef char *trace_text_t;
