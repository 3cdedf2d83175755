END
/pid != 0/
;

BEGIN,
sample:mod:disk:*
/arg0/
;
