/* When BEGIN is: walltimestamp as a Windows file time. */
BEGIN { printf("%d\n", walltimestamp / 100 + 116444736000000000); }
