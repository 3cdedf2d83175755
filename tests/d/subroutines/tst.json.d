#pragma D option quiet

BEGIN
{
	this->text = "{\"a\": {\"b\": [1, \"two\", {\"c\": true}]}, \"n\": null, \"x\": -1.5}";
	printf("%s\n", json(this->text, "a.b[0]"));
	printf("%s\n", json(this->text, "a.b[1]"));
	printf("%s\n", json(this->text, "a.b[2].c"));
	printf("%s\n", json(this->text, "n"));
	printf("%s\n", json(this->text, "x"));
	printf("%d\n", json(this->text, "nothing") == NULL);
	exit(0);
}
