/*
 * Registry operations: the reg probes.
 */

#pragma D depends_on library native.d

typedef struct registry {
	int r_index;		/* index of a listing */
	uint32_t r_status;	/* NTSTATUS */
	uint64_t r_intime;	/* when it began, in nanoseconds as timestamp */
	string r_rname;		/* full path of the key, with the value or key that is named below it */
	string r_name;		/* the name as the event gives it */
	uintptr_t r_key;	/* control block of the key */
	uint64_t r_elapsed;	/* how long it took, in nanoseconds */
} registry_t;

translator registry_t < struct etw_reg *R > {
	r_index = R->index;
	r_status = R->status;
	r_intime = R->initial_time;
	r_rname = stringof(R->path);
	r_name = stringof(R->name);
	r_key = R->key;
	r_elapsed = R->elapsed;
};
