/*
 * Hardware counters.
 */

#pragma D depends_on library types.d

/* What arg4 of a prov::pmc: probe points at; counters follow. */
typedef struct etw_pmc {
	uint32_t pmc_type;	/* 1 */
	uint32_t pmc_size;	/* bytes of the counters */
	uint64_t pmc_counters[8];	/* the counters, as many as there are */
} etw_pmc_t;
