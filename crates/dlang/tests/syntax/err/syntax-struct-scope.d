struct mod`s { int x; };
