//! What a trace says of the machine over time: processes, threads, images, files.
