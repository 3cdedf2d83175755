#pragma D option quiet

BEGIN
{
	this->a = strtok("one,two;;three", ",;");
	this->b = strtok(NULL, ",;");
	this->c = strtok(NULL, ",;");
	this->d = strtok(NULL, ",;");
	printf("%s|%s|%s|%s|\n", this->a, this->b, this->c, this->d == NULL ? "end" : "more");
	exit(0);
}
