#pragma D attributes Stable/Stable/Common
