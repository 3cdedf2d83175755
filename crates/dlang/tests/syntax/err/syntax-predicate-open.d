BEGIN
/x
{ }
