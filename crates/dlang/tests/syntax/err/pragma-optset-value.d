#pragma D option quiet=please
