BEGIN { }
# 50
END { ) }
