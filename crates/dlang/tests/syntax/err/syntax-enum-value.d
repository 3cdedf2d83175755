enum { A = };
