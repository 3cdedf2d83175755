#pragma D binding "x.y" foo
