struct out { int o; };
translator struct out < int x > { o = x; }
BEGIN { }
