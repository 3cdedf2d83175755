/* a /* b */
BEGIN { }
