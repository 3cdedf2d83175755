struct out {
	int b;
};
translator struct out < int i > {
	z = i;
};
