BEGIN
/x == (1/
{ }
