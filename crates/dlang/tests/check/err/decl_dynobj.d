typedef int a[int];
