struct out {
	int b;
};
translator struct out < int i > {
	b = "text";
};
