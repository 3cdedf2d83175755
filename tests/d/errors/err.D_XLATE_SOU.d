translator int < int i > {
};
