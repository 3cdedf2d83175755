provider p { probe go();
