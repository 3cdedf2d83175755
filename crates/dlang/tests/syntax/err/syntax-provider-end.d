provider p { probe go(); }
