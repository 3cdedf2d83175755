BEGIN { x = 1 + * ; }
