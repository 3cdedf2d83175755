BEGIN { x = 'a
b'; }
