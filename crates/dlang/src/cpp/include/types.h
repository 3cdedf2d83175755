/* The names of types that D lacks. */
#ifndef _D_SYS_TYPES_H
#define _D_SYS_TYPES_H
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef uint8_t u_int8_t;
typedef uint16_t u_int16_t;
typedef uint32_t u_int32_t;
typedef uint64_t u_int64_t;
typedef int64_t quad_t;
typedef uint64_t u_quad_t;
typedef int64_t loff_t;
typedef long register_t;
typedef long blksize_t;
typedef long blkcnt_t;
typedef int clockid_t;
typedef long suseconds_t;
typedef unsigned int useconds_t;
#endif
