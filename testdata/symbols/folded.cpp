// Two functions whose code is the same, so that the linker keeps one of them. What is inlined into each has its own
// name and line; a reader that mixes the two tells of calls that the source does not have.
namespace apples {
static inline int weigh(int count)
{
    return count * 37 + 11;
}
__declspec(noinline) int total(volatile int* count)
{
    int sum = 0;
    sum += weigh(*count);
    sum ^= weigh(*count + 3);
    return sum;
}
}

namespace pears {
struct Crate {
    volatile int* count;
    static inline int weight(int count)
    {
        return count * 37 + 11;
    }
};
__declspec(noinline) int total(volatile int* count)
{
    int sum = 0;

    sum += Crate::weight(*count);
    sum ^= Crate::weight(*count + 3);
    return sum;
}
}

extern "C" __declspec(dllexport) int folded_entry(volatile int* count)
{
    return apples::total(count) + pears::total(count);
}

extern "C" int _DllMainCRTStartup(void*, unsigned, void*)
{
    return 1;
}
