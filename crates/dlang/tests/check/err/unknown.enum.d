enum twice {
	ONE,
	ONE
};
