BEGIN { x = a->"b"; }
