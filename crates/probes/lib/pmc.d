/*
 * Hardware counters that an event carries: what arg4 of a prov::pmc: probe points at.
 */

#pragma D depends_on library types.d

/* What precedes the data that an event carries beside its fields. */
typedef struct etwext {
	uint32_t ext_type;	/* 1: hardware counters */
	uint32_t ext_size;	/* bytes of what follows */
} etwext_t;

/* The counters. */
typedef struct etw_pmc {
	uint32_t pmc_type;	/* 1 */
	uint32_t pmc_size;	/* bytes of the counters */
	uint64_t pmc_counters[8];	/* the counters, as many as there are */
} etw_pmc_t;

translator etw_pmc_t < etwext_t *E > {
	pmc_type = E->ext_type;
	pmc_size = E->ext_size;
	pmc_counters = ((etw_pmc_t *)E)->pmc_counters;
};
