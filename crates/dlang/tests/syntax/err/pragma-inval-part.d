#pragma D attributes Stable/Stable/Common provider p nothing
