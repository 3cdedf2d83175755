struct twice {
	int a;
	char a;
};
