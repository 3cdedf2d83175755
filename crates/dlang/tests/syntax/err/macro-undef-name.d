BEGIN { x = $nonsense; }
