BEGIN { };
