BEGIN { }
#nonsense
