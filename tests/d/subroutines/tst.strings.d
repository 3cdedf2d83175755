#pragma D option quiet

BEGIN
{
	printf("%d %d\n", strlen("hello"), strlen(""));
	printf("%s\n", strjoin("left", "right"));
	printf("[%s] [%s]\n", strchr("abcabc", 'b'), strrchr("abcabc", 'b'));
	printf("[%s]\n", strstr("haystack with needle", "needle"));
	printf("%s %s\n", tolower("MiXeD 1"), toupper("MiXeD 1"));
	printf("%d %d\n", index("banana", "an"), rindex("banana", "an"));
	printf("%d %d %d\n", index("banana", "an", 2), rindex("banana", "an", 2), index("banana", "x"));
	printf("%s %s %s\n", lltostr(-12), lltostr(255, 16), lltostr(8, 8));
	printf("%d %d %d %d\n", strtoll("42"), strtoll("-0x1f", 16), strtoll("777", 8), strtoll("12abc"));
	exit(0);
}
