BEGIN { x = $$20; }
