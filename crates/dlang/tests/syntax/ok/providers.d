provider test {
	probe start(int x, char *y);
	probe stop(int) : (string s, int);
	probe go__back();
	probe bare;
	probe va(int, ...);
};
provider empty { };
