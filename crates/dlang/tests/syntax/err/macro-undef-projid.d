BEGIN { x = $projid; }
