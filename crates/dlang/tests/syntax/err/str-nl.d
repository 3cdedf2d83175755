BEGIN { x = "a
b"; }
