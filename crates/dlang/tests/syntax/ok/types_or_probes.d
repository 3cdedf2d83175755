int x;
int*y;
int *z;
int* w;
int:::entry { }
string-1 { }
int* { }
int*:::entry { }
int8_t*
/1/
{
}
typedef int BEGINNER;
BEGINNER b;
BEGIN { }
self_probe:::x { }
struct.x:::y { }
