int declared;
self int flag;
this string text;

BEGIN
{
	declared = 7;
	created = declared + 1;
	self->flag = created > 3;
	this->text = "abc";
	self->made = this->text;
	x[1, "k"] = timestamp;
	x[1, "k"]++;
	self->y[pid] = 1;
}
