struct s *p;
BEGIN
{
	trace(p->a);
}
