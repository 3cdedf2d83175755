nothing:like:this:one
{
	trace(1);
}
