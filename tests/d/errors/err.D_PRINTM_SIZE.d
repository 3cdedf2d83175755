/* The most bytes that printm() records are a positive constant. */
BEGIN
{
	printm(0, memref((void *)16, 4));
}
