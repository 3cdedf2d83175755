
#pragma D error not here either
