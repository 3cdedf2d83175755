nonsense_t x;
