inline int one = 1;
inline string name = "text";
inline int add[int a, int b] = a + b;
inline struct foo *p = (struct foo *)arg0;
inline uint8_t cond = x ? 1 : 2;
