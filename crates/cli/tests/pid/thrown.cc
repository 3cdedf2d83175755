// A C++ program whose functions are left by exceptions: `thrown [N]`.
#include <cstdlib>
#include <string>
#include <vector>

namespace shop {
struct Item { int price; const char *name; Item *next; };
class Cart {
  public:
    long total = 0;
    __attribute__((noinline)) long add(const Item &item, int count);
    __attribute__((noinline)) long add(long raw) { total += raw; return total; }
};
long Cart::add(const Item &item, int count) { total += item.price * count; return total; }
}
static volatile long sink;
__attribute__((noinline)) int deep(int n) {
    std::string text(n % 3, 'x');
    if (n == 0) throw 5;
    int r = deep(n - 1);
    sink += r + text.size();
    return r;
}
__attribute__((noinline)) int caught(int n) {
    try { return deep(n); } catch (int value) { sink += value; return value; }
}
template <class T> __attribute__((noinline)) T largest(const std::vector<T> &all) {
    T best = all.front();
    for (const T &one : all) if (best < one) best = one;
    sink += (long)best;
    return best;
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1;
    shop::Item second = {20, "second", nullptr}, item = {10, "first", &second};
    shop::Cart cart;
    for (int i = 0; i < n; i++) { cart.add(item, i); cart.add(7L); caught(3); sink += largest(std::vector<long>{1, 5, 3}); }
    return 0;
}
