#pragma D
