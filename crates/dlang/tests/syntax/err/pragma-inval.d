#pragma D nonsense x
