enum e {
	A = "a"
};
