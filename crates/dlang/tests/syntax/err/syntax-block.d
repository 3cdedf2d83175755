BEGIN { { trace(1); } }
