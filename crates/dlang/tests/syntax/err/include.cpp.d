BEGIN { }
#include "inc.h"
1 +
