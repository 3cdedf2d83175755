provider bad1 {
	probe p();
};
