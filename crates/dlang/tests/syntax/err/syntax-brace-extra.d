BEGIN { }
}
