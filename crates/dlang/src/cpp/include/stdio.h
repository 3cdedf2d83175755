/* The constants and the type that declarations of other headers need; D programs call no functions of C. */
#ifndef _D_STDIO_H
#define _D_STDIO_H
typedef struct _IO_FILE FILE;
#define EOF (-1)
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
