#pragma D option setenv=A=B
