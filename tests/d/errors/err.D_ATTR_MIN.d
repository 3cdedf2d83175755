#pragma D option amin=Evolving/Evolving/Common
BEGIN
{
	trace(pid);
	trace(curthread);
}
