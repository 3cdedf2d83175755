static volatile long sink;
__attribute__((noinline)) long late_work(long n) { sink += n; return n * 3; }
