BEGIN { trace(
1