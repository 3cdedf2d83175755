#pragma D option flowindent

BEGIN { }
BEGIN { trace("again"); }
BEGIN { exit(0); }
