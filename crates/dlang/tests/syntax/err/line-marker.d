BEGIN { }
#line 100 "other.d"
END {
	1 +;
}
