#pragma error "not here"
