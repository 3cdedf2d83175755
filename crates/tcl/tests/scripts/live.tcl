source [file join [file dirname [info script]] support.tcl]

# Collects messages as the event loop gives them.
proc collect {buffer events} {
    global formatter messages
    foreach properties [recordarray column [etw_format_events $formatter $buffer $events] -properties] {
        lappend messages {*}[dict get $properties Message]
    }
}

test live-1 {events come while the event loop runs, and the session's end ends it} -body {
    set formatter [etw_open_formatter]
    set messages {}
    set provider [etw_twapi_provider_register]
    set h [etw_start_trace live -realtime 1 -flushtimer 1]
    etw_enable_provider $h [etw_twapi_provider_guid] -1 5
    set c [etw_open_session live]
    set returned [etw_process_events -background 1 -callback collect $c]
    for {set i 0} {$i < 5} {incr i} {
        after [expr {$i * 20}] [list etw_log_message $provider "message $i"]
    }
    set ticks 0
    proc tick {} {incr ::ticks; after 10 tick}
    tick
    after 300 {etw_flush_trace live}
    after 6000 {set done late}
    trace add variable messages write {apply {args {if {[llength $::messages] == 5} {set ::done all}}}}
    vwait done
    after cancel tick
    etw_stop_trace $h
    set until [clock milliseconds]
    while {[llength [twapi::tracewell::reading]] && [clock milliseconds] - $until < 3000} {
        after 20 {set step 1}
        vwait step
    }
    list $returned $done $messages [expr {$ticks > 10}] [llength [twapi::tracewell::reading]]
} -result {{} all {{message 0} {message 1} {message 2} {message 3} {message 4}} 1 0}

test live-2 {closing ends the reading} -body {
    set h [etw_start_trace live2 -realtime 1]
    set c [etw_open_session live2]
    etw_process_events -background 1 -callback collect $c
    after 100 {set step 1}
    vwait step
    etw_close_session $c
    after 100 {set step 1}
    vwait step
    etw_stop_trace $h
    llength [twapi::tracewell::reading]
} -result 0

test live-3 {a blocking reader gets everything up to the session's end} -body {
    set messages {}
    set provider [etw_twapi_provider_register]
    set h [etw_start_trace live3 -realtime 1]
    etw_enable_provider $h [etw_twapi_provider_guid] -1 5
    set c [etw_open_session live3]
    foreach text {a b c} {etw_log_message $provider $text}
    etw_stop_trace live3
    etw_process_events -callback collect $c
    etw_close_session $c
    set messages
} -result {a b c}

test live-4 {a dump of a session, with a limit} -body {
    set provider [etw_twapi_provider_register]
    set h [etw_start_trace live4 -realtime 1]
    etw_enable_provider $h [etw_twapi_provider_guid] -1 5
    # The consumer must be there before the events are, so one holds the session's buffers for the other.
    set c [etw_open_session live4]
    set errors [list [lindex [failure {etw_open_session nobody}] 0]]
    etw_stop_trace $h
    etw_close_session $c
    lappend errors [lindex [failure {etw_dump_to_file live4}] 0]
} -result {{TWAPI_WIN32 4201} {TWAPI_WIN32 4201}}

test live-5 {an error in a callback is a background error, and reading goes on} -body {
    set provider [etw_twapi_provider_register]
    set h [etw_start_trace live5 -realtime 1]
    etw_enable_provider $h [etw_twapi_provider_guid] -1 5
    set c [etw_open_session live5]
    proc bad args {error "callback failed"}
    set problem {}
    interp bgerror {} [list apply {{message options} {set ::problem $message}}]
    etw_process_events -background 1 -callback bad $c
    etw_log_message $provider x
    after 50 {etw_flush_trace live5}
    after 5000 {set problem late}
    vwait problem
    set going [expr {$c in [twapi::tracewell::reading]}]
    etw_close_session $c
    etw_stop_trace $h
    list $problem $going
} -result {{callback failed} 1}
tcltest::cleanupTests
