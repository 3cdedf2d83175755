# tracerpt FILE -o OUT -of csv, by `etw dump` where it is found (TRACEWELL_ETW or the path).
set file [lindex $argv 0]
set out [dict get [lrange $argv 1 end] -o]
set etw [expr {[info exists env(TRACEWELL_ETW)] ? $env(TRACEWELL_ETW) : [lindex [auto_execok etw] 0]}]
if {$etw eq ""} {
    error "no etw to read with: set TRACEWELL_ETW"
}
# The records in which a session describes the processes that logged to it are no events, and Windows has none of them. Their users
# are those of Unix (S-1-22).
set events {!(event == "Process/DCStart" && UserSID =~ "S-1-22-*")}
set lines [lassign \
    [split [exec $etw dump -q --csv --where $events --fields version,channel,level,pid,tid $file] \n] head]
set channel [open $out w]
puts $channel "Version,Channel,Level,PID,TID"
foreach line $lines {
    set cells [split $line ,]
    # What has no process or thread is -1 to the consumer.
    puts $channel [join [lmap cell $cells {expr {$cell eq "" ? -1 : $cell}}] ,]
}
close $channel
