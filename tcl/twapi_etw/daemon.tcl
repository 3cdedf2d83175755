# Runs the session daemon in an interpreter, where there is no program for it: daemon.tcl LIBRARY FOLDER
lassign $argv library folder
load $library Twapi_etw
::twapi::tracewell::run_daemon $folder
