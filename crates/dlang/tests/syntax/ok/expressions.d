BEGIN
{
	a = b = c;
	a += 1; a -= 1; a *= 2; a /= 2; a %= 2; a &= 1; a |= 1; a ^= 1; a <<= 1; a >>= 1;
	x = a || b ^^ c && d | e ^ f & g == h < i << j + k * l;
	x = a * b + c << d < e == f & g ^ h | i && j ^^ k || l;
	x = a - b - c; x = a / b / c % d; x = a << b >> c;
	x = a != b; x = a <= b; x = a >= b; x = a > b;
	x = a ? b : c ? d : e;
	x = a ? b, c : d;
	a = 1, b = 2, c = 3;
	x = -a + +b - !c + ~d; x = - - a; x = *p + *&q; x = **p; x = !!y;
	i++; i--; ++i; --i; x = i++ + ++j; *p++; (*p)++;
	x = (a, b); x = ((((a))));
	x = p->q.r->s[1][2]; x = a[1, "two", this->three];
	x = f(); x = f(1); x = g(a = 1, (b, c), h(2));
	x = self->a + this->b; self->a[1, 2] = 3; self->p->q = 1;
	x = (int)y; x = (char *)p; x = (unsigned long long)-1; x = (struct foo *)arg0; x = (uint64_t)(a + b);
	x = (int (*)(int, char *))p; x = (string)p; x = (int8_t)(int16_t)y;
	x = sizeof (int) * 2; x = sizeof x; x = sizeof (x) + 1; x = sizeof (struct foo); x = sizeof -x;
	x = sizeof (uint8_t [4]); x = sizeof *p; x = sizeof (a)[1];
	x = offsetof(struct foo, bar); x = offsetof(pid_t, string);
	x = stringof(p); x = stringof p->name; x = stringof (a) == "b";
	x = xlate <psinfo_t *>(curthread)->pr_pid; x = xlate <struct out>(p).m;
	x = genunix`foo + `bar + D`baz; x = &`symbol; x = (genunix`int8_t *)p; x = sizeof (D`int);
	x = a.self + b->this.struct; x = c->string->int;
}
