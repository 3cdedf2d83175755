BEGIN { x = sizeof (*); }
