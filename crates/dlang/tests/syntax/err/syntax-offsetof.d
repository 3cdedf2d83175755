BEGIN { x = offsetof(int); }
