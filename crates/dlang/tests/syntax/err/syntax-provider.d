provider p { go(); };
