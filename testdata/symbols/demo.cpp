// The program of the symbol tests: a library with an inlined function in an inlined function, a template, a
// member function, a static function, exports of both kinds. See build.sh.

namespace shop {

struct Basket {
    int items[16];
    int total() const;
    __attribute__((noinline)) int apply(int percent);
};

volatile int sink;

static inline __attribute__((always_inline)) int square(int value) {
    sink = value;
    return value * value;
}

static inline __attribute__((always_inline)) int norm(int a, int b) {
    int first = square(a);
    sink = first;
    return first + square(b);
}

template <typename T> __attribute__((noinline)) T largest(T a, T b) {
    sink = 3;
    return a > b ? a : b;
}

int Basket::total() const {
    int sum = 0;
    #pragma clang loop unroll(disable) vectorize(disable)
    for (int item : items) {
        sum += norm(item, sum);
    }
    return sum;
}

int Basket::apply(int percent) {
    sink = percent;
    return total() * percent / 100;
}

static __attribute__((noinline)) int hidden(int value) {
    sink = value;
    return largest<int>(value, 7) + 1;
}

} // namespace shop

extern "C" __declspec(dllexport) int demo_entry(int value) {
    shop::Basket basket = {};
    basket.items[0] = value;
    return basket.apply(value) + shop::hidden(value);
}

__declspec(dllexport) int decorated(shop::Basket *basket, double) {
    return basket->apply(5);
}

extern "C" int _DllMainCRTStartup(void *, unsigned, void *) { return 1; }
extern "C" int _fltused = 0;
