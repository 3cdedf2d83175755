int x
BEGIN { }
