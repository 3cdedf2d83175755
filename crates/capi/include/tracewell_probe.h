/* Probes in C and C++ programs of Linux on x86-64 (USDT). A probe is one instruction that does nothing, and a note in the
 * file that describes it. This header is all that is needed: there is no library.
 *
 *     TRACEWELL_PROBE(shop, sold, price, name);
 *
 * dtrace shows it as shop:::sold of the process:
 *
 *     dtrace -n 'shop$target:::sold { printf("%d %s", arg0, copyinstr(arg1)) }' -c ./program
 *
 * Up to ten arguments are integers or pointers. They are computed whether or not anyone looks. Where that is costly, ask
 * first; the question reads a counter of those who look, which has to be defined once, outside of functions:
 *
 *     TRACEWELL_PROBE_COUNTER(shop, sold)
 *     ...
 *     if (TRACEWELL_PROBE_ENABLED(shop, sold))
 *         TRACEWELL_PROBE_COUNTED(shop, sold, price, long_name(item));
 *
 * Other files of the program declare the counter with TRACEWELL_PROBE_COUNTER_ELSEWHERE(shop, sold).
 *
 * The instruction has one byte. With TRACEWELL_PROBE_LONG it has five, and kernels from Linux 6.18 on watch it without an
 * exception. But they do so by a call, which overwrites the words below the stack pointer: use it only in programs that are
 * compiled with -mno-red-zone, or functions that call no others may lose their variables. Define TRACEWELL_PROBE_NONE to
 * leave all probes out; they are left out on other systems, too.
 */
#ifndef TRACEWELL_PROBE_H
#define TRACEWELL_PROBE_H

#if defined(__linux__) && defined(__x86_64__) && defined(__GNUC__) && !defined(TRACEWELL_PROBE_NONE)

#ifdef TRACEWELL_PROBE_LONG
#define TRACEWELL_PROBE_SITE_ ".byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n"
#else
#define TRACEWELL_PROBE_SITE_ "nop\n"
#endif

/* Size of an argument as the note has it: negative for numbers with a sign. Small integers become int. */
#ifdef __cplusplus
extern "C++" {
template <class T> struct tracewell_probe_size_ { enum { of = sizeof(T) }; };
template <> struct tracewell_probe_size_<int> { enum { of = -(int)sizeof(int) }; };
template <> struct tracewell_probe_size_<long> { enum { of = -(int)sizeof(long) }; };
template <> struct tracewell_probe_size_<long long> { enum { of = -(int)sizeof(long long) }; };
}
#define TRACEWELL_PROBE_SIZE_(x) ((int)tracewell_probe_size_<__typeof__((x) + 0)>::of)
#else
#define TRACEWELL_PROBE_SIZE_(x) \
    _Generic((x) + 0, int: -(int)sizeof(int), long: -(int)sizeof(long), \
        long long: -(int)sizeof(long long), default: (int)sizeof((x) + 0))
#endif

/* The note: sizes of its parts, owner, kind 3, addresses of the instruction, of the base and of the counter, then texts. */
#define TRACEWELL_PROBE_NOTE_(provider, name, counter, arguments) \
    "990: " TRACEWELL_PROBE_SITE_ \
    ".pushsection .note.stapsdt, \"?\", \"note\"\n" \
    ".balign 4\n" \
    ".4byte 992f - 991f, 994f - 993f, 3\n" \
    "991: .asciz \"stapsdt\"\n" \
    "992: .balign 4\n" \
    "993: .8byte 990b, _.stapsdt.base, " counter "\n" \
    ".asciz \"" #provider "\"\n" \
    ".asciz \"" #name "\"\n" \
    ".asciz \"" arguments "\"\n" \
    "994: .balign 4\n" \
    ".popsection\n" \
    ".ifndef _.stapsdt.base\n" \
    ".pushsection .stapsdt.base, \"aG\", \"progbits\", .stapsdt.base, comdat\n" \
    ".weak _.stapsdt.base\n" \
    ".hidden _.stapsdt.base\n" \
    "_.stapsdt.base: .space 1\n" \
    ".size _.stapsdt.base, 1\n" \
    ".popsection\n" \
    ".endif\n"

#define TRACEWELL_PROBE_VALUE_(n, x) [s##n] "n"(TRACEWELL_PROBE_SIZE_(x)), [a##n] "nor"((x) + 0)
#define TRACEWELL_PROBE_TEXT_(n) "%c[s" #n "]@%[a" #n "]"

#define TRACEWELL_PROBE_TEXTS_0_
#define TRACEWELL_PROBE_TEXTS_1_ TRACEWELL_PROBE_TEXT_(1)
#define TRACEWELL_PROBE_TEXTS_2_ TRACEWELL_PROBE_TEXTS_1_ " " TRACEWELL_PROBE_TEXT_(2)
#define TRACEWELL_PROBE_TEXTS_3_ TRACEWELL_PROBE_TEXTS_2_ " " TRACEWELL_PROBE_TEXT_(3)
#define TRACEWELL_PROBE_TEXTS_4_ TRACEWELL_PROBE_TEXTS_3_ " " TRACEWELL_PROBE_TEXT_(4)
#define TRACEWELL_PROBE_TEXTS_5_ TRACEWELL_PROBE_TEXTS_4_ " " TRACEWELL_PROBE_TEXT_(5)
#define TRACEWELL_PROBE_TEXTS_6_ TRACEWELL_PROBE_TEXTS_5_ " " TRACEWELL_PROBE_TEXT_(6)
#define TRACEWELL_PROBE_TEXTS_7_ TRACEWELL_PROBE_TEXTS_6_ " " TRACEWELL_PROBE_TEXT_(7)
#define TRACEWELL_PROBE_TEXTS_8_ TRACEWELL_PROBE_TEXTS_7_ " " TRACEWELL_PROBE_TEXT_(8)
#define TRACEWELL_PROBE_TEXTS_9_ TRACEWELL_PROBE_TEXTS_8_ " " TRACEWELL_PROBE_TEXT_(9)
#define TRACEWELL_PROBE_TEXTS_10_ TRACEWELL_PROBE_TEXTS_9_ " " TRACEWELL_PROBE_TEXT_(10)

#define TRACEWELL_PROBE_VALUES_0_(provider, name)
#define TRACEWELL_PROBE_VALUES_1_(provider, name, a) TRACEWELL_PROBE_VALUE_(1, a)
#define TRACEWELL_PROBE_VALUES_2_(p, m, a, b) TRACEWELL_PROBE_VALUES_1_(p, m, a), TRACEWELL_PROBE_VALUE_(2, b)
#define TRACEWELL_PROBE_VALUES_3_(p, m, a, b, c) \
    TRACEWELL_PROBE_VALUES_2_(p, m, a, b), TRACEWELL_PROBE_VALUE_(3, c)
#define TRACEWELL_PROBE_VALUES_4_(p, m, a, b, c, d) \
    TRACEWELL_PROBE_VALUES_3_(p, m, a, b, c), TRACEWELL_PROBE_VALUE_(4, d)
#define TRACEWELL_PROBE_VALUES_5_(p, m, a, b, c, d, e) \
    TRACEWELL_PROBE_VALUES_4_(p, m, a, b, c, d), TRACEWELL_PROBE_VALUE_(5, e)
#define TRACEWELL_PROBE_VALUES_6_(p, m, a, b, c, d, e, f) \
    TRACEWELL_PROBE_VALUES_5_(p, m, a, b, c, d, e), TRACEWELL_PROBE_VALUE_(6, f)
#define TRACEWELL_PROBE_VALUES_7_(p, m, a, b, c, d, e, f, g) \
    TRACEWELL_PROBE_VALUES_6_(p, m, a, b, c, d, e, f), TRACEWELL_PROBE_VALUE_(7, g)
#define TRACEWELL_PROBE_VALUES_8_(p, m, a, b, c, d, e, f, g, h) \
    TRACEWELL_PROBE_VALUES_7_(p, m, a, b, c, d, e, f, g), TRACEWELL_PROBE_VALUE_(8, h)
#define TRACEWELL_PROBE_VALUES_9_(p, m, a, b, c, d, e, f, g, h, i) \
    TRACEWELL_PROBE_VALUES_8_(p, m, a, b, c, d, e, f, g, h), TRACEWELL_PROBE_VALUE_(9, i)
#define TRACEWELL_PROBE_VALUES_10_(p, m, a, b, c, d, e, f, g, h, i, j) \
    TRACEWELL_PROBE_VALUES_9_(p, m, a, b, c, d, e, f, g, h, i), TRACEWELL_PROBE_VALUE_(10, j)

#define TRACEWELL_PROBE_EMIT_(n, provider, name, counter, ...) \
    __asm__ __volatile__( \
        TRACEWELL_PROBE_NOTE_(provider, name, counter, TRACEWELL_PROBE_TEXTS_##n##_) \
        : : TRACEWELL_PROBE_VALUES_##n##_(__VA_ARGS__))

#define TRACEWELL_PROBE_COUNT_(p, m, a, b, c, d, e, f, g, h, i, j, n, ...) n
#define TRACEWELL_PROBE_NUMBER_(...) TRACEWELL_PROBE_COUNT_(__VA_ARGS__, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0)
#define TRACEWELL_PROBE_PASTE_(n, provider, name, counter, ...) \
    TRACEWELL_PROBE_EMIT_(n, provider, name, counter, __VA_ARGS__)
#define TRACEWELL_PROBE_FIRST_(provider, name, counter, ...) \
    TRACEWELL_PROBE_PASTE_(TRACEWELL_PROBE_NUMBER_(__VA_ARGS__), provider, name, counter, __VA_ARGS__)
#define TRACEWELL_PROBE_HEAD_(provider, name, ...) provider, name

/* A probe: provider, name, arguments. */
#define TRACEWELL_PROBE(...) TRACEWELL_PROBE_SPLIT_((__VA_ARGS__, ), __VA_ARGS__)
#define TRACEWELL_PROBE_SPLIT_(head, ...) TRACEWELL_PROBE_WITH_(TRACEWELL_PROBE_HEAD_ head, "0", __VA_ARGS__)
#define TRACEWELL_PROBE_WITH_(...) TRACEWELL_PROBE_FIRST_(__VA_ARGS__)

/* A probe whose counter is defined: TRACEWELL_PROBE_COUNTER. */
#define TRACEWELL_PROBE_COUNTED(...) TRACEWELL_PROBE_SPLIT_COUNTED_((__VA_ARGS__, ), __VA_ARGS__)
#define TRACEWELL_PROBE_SPLIT_COUNTED_(head, ...) \
    TRACEWELL_PROBE_WITH_COUNTED_(TRACEWELL_PROBE_HEAD_ head, __VA_ARGS__)
#define TRACEWELL_PROBE_WITH_COUNTED_(...) TRACEWELL_PROBE_FIRST_COUNTED_(__VA_ARGS__)
#define TRACEWELL_PROBE_FIRST_COUNTED_(provider, name, ...) \
    TRACEWELL_PROBE_FIRST_(provider, name, #provider "_" #name "_semaphore", __VA_ARGS__)

#ifdef __cplusplus
#define TRACEWELL_PROBE_C_ extern "C"
#else
#define TRACEWELL_PROBE_C_ extern
#endif

#define TRACEWELL_PROBE_COUNTER_ELSEWHERE(provider, name) \
    TRACEWELL_PROBE_C_ volatile unsigned short provider##_##name##_semaphore \
        __attribute__((visibility("hidden")));
#define TRACEWELL_PROBE_COUNTER(provider, name) \
    TRACEWELL_PROBE_COUNTER_ELSEWHERE(provider, name) \
    volatile unsigned short provider##_##name##_semaphore \
        __attribute__((section(".probes"), used, visibility("hidden"))) = 0;
#define TRACEWELL_PROBE_ENABLED(provider, name) __builtin_expect(provider##_##name##_semaphore != 0, 0)

#else

#define TRACEWELL_PROBE(...) ((void)0)
#define TRACEWELL_PROBE_COUNTED(...) ((void)0)
#define TRACEWELL_PROBE_COUNTER_ELSEWHERE(provider, name)
#define TRACEWELL_PROBE_COUNTER(provider, name)
#define TRACEWELL_PROBE_ENABLED(provider, name) 0

#endif

#endif
