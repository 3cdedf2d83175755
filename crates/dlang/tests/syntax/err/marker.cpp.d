# 10 "a.h"
# 20 "b.h" 1
BEGIN { 1 }
#define A
)
