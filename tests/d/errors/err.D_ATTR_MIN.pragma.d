inline int mine = 1;
#pragma D attributes Unstable/Unstable/Common mine
#pragma D option amin=Evolving/Evolving/Common
BEGIN
{
	trace(mine);
}
