BEGIN
//
{ }
