/* printm() takes what memref() returns. */
BEGIN
{
	printm(4, "text");
}
