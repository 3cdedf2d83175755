# Measures the commands that must be fast: tclsh speed.tcl ?CALLS?
#
# Build with `cargo build --release -p tracewell-tcl` and run with TCLLIBPATH naming the source tree's `tcl` folder.
# Every figure is the best of five, by the processor time of the thread if available (Linux), else by the clock:
# so a busy machine changes little.
package require twapi_etw
namespace path twapi
set calls [expr {$argc ? [lindex $argv 0] : 1000000}]
set file [file join [pwd] speed-[pid].etl]

# Microseconds that this thread has worked.
proc worked {} {
    if {[catch {open /proc/thread-self/schedstat} in]} {
        return [clock microseconds]
    }
    set nanoseconds [lindex [read $in] 0]
    close $in
    return [expr {$nanoseconds / 1000}]
}
proc rate {label count script} {
    set best 0
    for {set round 0} {$round < 5} {incr round} {
        set start [worked]
        uplevel 1 $script
        set rate [expr {$count * 1e6 / max([worked] - $start, 1)}]
        if {$rate > $best} {set best $rate}
    }
    puts [format "%-48s %12.0f /s" $label $best]
    return $best
}

proc direct {provider calls} {
    for {set i 0} {$i < $calls} {incr i} {etw_execution_tracker $provider {set x 1} enter}
}
proc message {provider calls} {
    for {set i 0} {$i < $calls} {incr i} {etw_log_message $provider {a message of usual length}}
}
proc loop {calls} {
    for {set i 0} {$i < $calls} {incr i} {}
}
proc target {} {}
proc traced {calls} {
    for {set i 0} {$i < $calls} {incr i} {target}
}

proc start {provider} {
    global file
    file delete $file
    set trace [etw_start_trace speed -logfile $file -filemode circular -maxfilesize 64 -buffersize 1024 -maxbuffers 128]
    etw_enable_provider $trace TwapiETWProvider -1 verbose
    return $trace
}

set provider [etw_twapi_provider_register]
rate "an empty loop" $calls {loop $calls}
rate "tracker, no session" $calls {direct $provider $calls}
set trace [start $provider]
rate "tracker into a session" $calls {direct $provider $calls}
rate "message into a session" $calls {message $provider $calls}
# A tracker with an invalid handle does nothing, which measures the cost of the trace itself.
foreach {label handle} [list "no-op native callback" 0 "execution tracker" $provider] {
    set prefix [list ::twapi::etw_execution_tracker $handle]
    trace add execution target {enter leave} $prefix
    set seconds($label) [rate "enter and leave, $label" [expr {2 * $calls / 3}] {traced [expr {$calls / 3}]}]
    trace remove execution target {enter leave} $prefix
}
set stopped [etw_stop_trace $trace]
puts [format "the tracker takes %.2f times the no-op; %d events lost" \
    [expr {$seconds(no-op native callback) / $seconds(execution tracker)}] [dict get $stopped events_lost]]

set count [llength [etw_dump_to_list $file]]
set null [open /dev/null w]
rate "etw_dump_to_file, csv, $count events" $count {etw_dump_to_file -output $null $file}
rate "etw_dump_to_file, list, properties" $count \
    {etw_dump_to_file -format list -fields {-timecreated -properties} -output $null $file}
close $null
file delete $file
