inline int foo
#pragma D attributes Wrong foo
 = 1;
