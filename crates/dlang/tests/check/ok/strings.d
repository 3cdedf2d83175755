BEGIN
{
	s = strjoin("a", lltostr(pid));
	n = strlen(s) + index(s, "b");
	t = n > 3 ? substr(s, 1, 2) : "none";
	ok = s == t || s < "m" ^^ t >= s;
	trace(strtok(s, ","));
	trace(NULL == strstr(s, "x"));
}
