short void x;
