#pragma D depends_on thing x
