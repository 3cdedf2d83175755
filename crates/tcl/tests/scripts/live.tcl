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
    # Timers are served in order, so one before the flush shows that the loop went on.
    set ticks 0
    proc tick {} {incr ::ticks; after 10 tick}
    after 10 tick
    after 300 {etw_flush_trace live}
    set all [until {[llength $::messages] == 5}]
    after cancel tick
    etw_stop_trace $h
    until {![llength [twapi::tracewell::reading]]}
    list $returned $all $messages [expr {$ticks > 0}] [llength [twapi::tracewell::reading]]
} -result {{} 1 {{message 0} {message 1} {message 2} {message 3} {message 4}} 1 0}

test live-2 {closing ends the reading} -body {
    set h [etw_start_trace live2 -realtime 1]
    set c [etw_open_session live2]
    etw_process_events -background 1 -callback collect $c
    after 100 {set step 1}
    vwait step
    etw_close_session $c
    set ended [until {![llength [twapi::tracewell::reading]]}]
    etw_stop_trace $h
    set ended
} -result 1

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

proc collect3b {buffer events} {
    foreach properties [recordarray column [etw_format_events $::formatter $buffer $events] -properties] {
        if {[dict exists $properties Message]} {lappend ::messages [dict get $properties Message]}
    }
}

test live-3b {a file given with a session: all events of both, the older first} -setup {file delete old.etl new.etl} -body {
    set messages {}
    set formatter [etw_open_formatter]
    foreach {file from} {old.etl 1 new.etl 5} {
        if {$from == 5} {
            set live [etw_start_trace live3b -realtime 1]
            etw_enable_provider $live [etw_twapi_provider_guid] -1 5
            set c [etw_open_session live3b]
            set own [etw_twapi_provider_register]
            foreach text {3 4} {etw_log_message $own $text}
            # From here on only the file listens.
            etw_stop_trace $live
        }
        set h [etw_start_trace "file $from" -logfile $file -filemode sequential]
        etw_enable_provider $h [etw_twapi_provider_guid] -1 5
        set provider [etw_twapi_provider_register]
        foreach text [list $from [expr {$from + 1}]] {etw_log_message $provider $text}
        etw_stop_trace $h
    }
    # Named in another order than that of their times.
    set handles [list $c [etw_open_file new.etl] [etw_open_file old.etl]]
    etw_process_events -callback collect3b {*}$handles
    foreach handle $handles {etw_close_session $handle}
    lsearch -all -inline -regexp $messages {^[1-6]$}
} -result {1 2 3 4 5 6}

test live-4 {a dump of a session, with a limit} -body {
    set provider [etw_twapi_provider_register]
    set h [etw_start_trace live4 -realtime 1]
    etw_enable_provider $h [etw_twapi_provider_guid] -1 5
    # The consumer must be there before the events are, so one holds the session's buffers for the other.
    set c [etw_open_session live4]
    set errors [list [lindex [failure {etw_open_session missing}] 0]]
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
    etw_flush_trace live5
    until {$::problem ne {}}
    set going [expr {$c in [twapi::tracewell::reading]}]
    etw_close_session $c
    etw_stop_trace $h
    list $problem $going
} -result {{callback failed} 1}

proc messages_of {records} {
    lmap properties [recordarray column $records -properties -filter {{-opcodename eq Message}}] {
        lindex [dict get $properties Message] 0
    }
}

test live-6 {a file in the background gives what it gives otherwise} -setup {file delete back.etl} -body {
    traced back.etl {for {set i 0} {$i < 3000} {incr i} {etw_log_message $provider "message $i of the file"}}
    set formatter [etw_open_formatter]
    set c [etw_open_file back.etl]
    set waiting [etw_format_events $formatter {*}[etw_process_events $c]]
    set pairs {}
    set before [llength [twapi::tracewell::reading]]
    set returned [etw_process_events -background 1 -callback {lappend ::pairs} $c]
    set at_once [llength $pairs]
    set done [until {![llength [twapi::tracewell::reading]]}]
    set same [expr {[etw_format_events $formatter {*}$pairs] eq $waiting}]
    etw_close_session $c
    list $before $returned $at_once $done [expr {[llength $pairs] > 2}] $same [llength [messages_of $waiting]]
} -result {0 {} 0 1 1 1 3000}

test live-7 {break ends the reading; a second reading of the same is refused} -body {
    set c [etw_open_file back.etl]
    set calls 0
    etw_process_events -background 1 -callback {apply {args {incr ::calls; return -code break}}} $c
    set refused [lindex [failure {etw_process_events -background 1 -callback x $c}] 0]
    set done [until {![llength [twapi::tracewell::reading]]}]
    after 50 {set ::step 1}
    vwait ::step
    etw_close_session $c
    list $refused $done $calls
} -result {{TWAPI BADARGS} 1 1}

test live-8 {a callback may wait, close and delete} -body {
    set c [etw_open_file back.etl]
    set depth 0
    set deepest 0
    etw_process_events -background 1 -callback {apply {args {
        set ::deepest [expr {max([incr ::depth], $::deepest)}]
        if {$::deepest < 3} {after 20 {set ::inner 1}; vwait ::inner}
        incr ::depth -1
        catch {etw_close_session $::c}
    }}} $c
    list [until {![llength [twapi::tracewell::reading]] && $depth == 0}] [expr {$deepest > 0}]
} -result {1 1}

test live-9 {an interpreter that goes takes its readings along} -body {
    set h [etw_start_trace live9 -realtime 1 -flushtimer 1]
    set other [interp create]
    $other eval [list set auto_path $auto_path]
    $other eval {
        package require twapi_etw
        set c [twapi::etw_open_session live9]
        twapi::etw_process_events -background 1 -callback {lappend ::seen} $c
    }
    set while [llength [twapi::tracewell::reading]]
    interp delete $other
    set after [llength [twapi::tracewell::reading]]
    set provider [etw_twapi_provider_register]
    etw_enable_provider $h TwapiETWProvider -1 5
    etw_log_message $provider "unread"
    etw_flush_trace $h
    after 100 {set ::step 1}
    vwait ::step
    etw_stop_trace $h
    list $while $after
} -result {1 0}

test live-10 {what cannot be taken in time is counted, and nothing else is missing} -body {
    set provider [etw_twapi_provider_register]
    file delete lost.etl
    set h [etw_start_trace losses -logfile lost.etl -filemode sequential -buffersize 4 -minbuffers 2 -maxbuffers 2]
    etw_enable_provider $h TwapiETWProvider -1 5
    set before [dict get [etw_errors] provider_events_lost]
    set text [string repeat "much text " 50]
    # The session takes nothing while its process is stopped, and its buffers are soon full.
    set session [dict get [etw_query_trace $h] logger_tid]
    # Number 0 would stop the process that runs this.
    if {$session <= 1} {error "the session has no thread: $session"}
    exec kill -STOP $session
    for {set i 0} {$i < 500} {incr i} {etw_log_message $provider $text}
    exec kill -CONT $session
    for {} {$i < 1000} {incr i} {etw_log_message $provider $text}
    set lost [dict get [etw_stop_trace $h] events_lost]
    set counted [expr {[dict get [etw_errors] provider_events_lost] - $before}]
    set written [llength [own_properties lost.etl]]
    list [expr {$lost > 0}] [expr {$lost == $counted}] [expr {$lost + $written}]
} -result {1 1 1000}

test live-11 {two sessions and a file at once} -body {
    set provider [etw_twapi_provider_register]
    set handles {}
    set consumers {}
    foreach name {live11a live11b} {
        lappend handles [etw_start_trace $name -realtime 1 -flushtimer 1]
        etw_enable_provider [lindex $handles end] TwapiETWProvider -1 5
        lappend consumers [etw_open_session $name]
    }
    lappend consumers [etw_open_file back.etl]
    set pairs {}
    etw_process_events -background 1 -callback {lappend ::pairs} {*}$consumers
    etw_log_message $provider "to both"
    foreach h $handles {etw_stop_trace $h}
    set done [until {![llength [twapi::tracewell::reading]]}]
    foreach c $consumers {etw_close_session $c}
    set messages [messages_of [etw_format_events $formatter {*}$pairs]]
    list $done [llength [lsearch -all -exact $messages "to both"]] [llength $messages]
} -result {1 2 3002}

test live-13 {sessions that are read together give their events in one order; the limits of time hold} -body {
    set provider [etw_twapi_provider_register]
    set handles {}
    set consumers {}
    foreach name {live13a live13b live13c} {
        lappend handles [etw_start_trace $name -realtime 1 -buffersize 64 -maxbuffers 64]
        lappend consumers [etw_open_session $name]
    }
    # One hears all, the others a half each.
    etw_enable_provider [lindex $handles 0] TwapiETWProvider -1 5
    etw_enable_provider [lindex $handles 1] TwapiETWProvider -1 5
    for {set i 0} {$i < 300} {incr i} {etw_log_message $provider "message $i"}
    etw_disable_provider [lindex $handles 1] TwapiETWProvider
    etw_enable_provider [lindex $handles 2] TwapiETWProvider -1 5
    for {} {$i < 600} {incr i} {etw_log_message $provider "message $i"}
    foreach h $handles {etw_stop_trace $h}
    set records [etw_format_events $formatter {*}[etw_process_events {*}$consumers]]
    foreach c $consumers {etw_close_session $c}
    set own [recordarray get $records -filter {{-opcodename eq Message}}]
    set times [recordarray column $own -timecreated]
    set numbers [lmap text [messages_of $own] {lindex $text 1}]
    list [llength $numbers] [expr {$times eq [lsort -integer $times]}] \
        [expr {[lsort -integer -unique $numbers] eq [lsort -unique -integer [lsearch -all [lrepeat 600 x] x]]}]
} -result {1200 1 1}

tcltest::testConstraint thread [expr {![catch {package require Thread}]}]
test live-12 {threads: each logs, and each may listen} -constraints thread -body {
    set provider [etw_twapi_provider_register]
    file delete threads.etl
    set h [etw_start_trace threads -logfile threads.etl -filemode sequential -buffersize 512 -minbuffers 64 -maxbuffers 128]
    etw_enable_provider $h TwapiETWProvider -1 5
    set live [etw_start_trace threads-live -realtime 1]
    set threads {}
    for {set t 0} {$t < 4} {incr t} {
        set thread [thread::create]
        thread::send $thread [list set auto_path $auto_path]
        thread::send $thread {package require twapi_etw}
        thread::send -async $thread [list apply {{t} {
            set provider [twapi::etw_twapi_provider_register]
            # A reading that is still going on when its thread ends.
            set c [twapi::etw_open_session threads-live]
            twapi::etw_process_events -background 1 -callback {lappend ::seen} $c
            proc target {n} {}
            trace add execution target enter [list ::twapi::etw_execution_tracker $provider]
            for {set i 0} {$i < 500} {incr i} {
                twapi::etw_log_message $provider "thread $t message $i"
                target $i
            }
            return done
        }} $t] finished($t)
        lappend threads $thread
    }
    for {set t 0} {$t < 4} {incr t} {
        if {![info exists finished($t)]} {vwait finished($t)}
    }
    foreach thread $threads {thread::release $thread}
    set stopped [etw_stop_trace $h]
    etw_stop_trace $live
    set records [etw_dump threads.etl]
    set executions [recordarray column $records -properties -filter {{-opcodename eq ExecutionTrace}}]
    set wrong {}
    for {set t 0} {$t < 4} {incr t} {
        # In each thread the order is that of the calls.
        set own [lsearch -all -inline [messages_of $records] "thread $t *"]
        set wanted {}
        for {set i 0} {$i < 500} {incr i} {lappend wanted "thread $t message $i"}
        if {$own ne $wanted} {lappend wrong $t [llength $own]}
    }
    list [array size finished] [dict get $stopped events_lost] $wrong [llength $executions] \
        [llength [lsort -unique [recordarray column $records -tid -filter {{-opcodename eq Message}}]]]
} -result {4 0 {} 2000 4} -cleanup {unset -nocomplain finished}

# A script in a separate interpreter: its exit status, and its output.
proc run_script {script} {
    set file [tcltest::makeFile $script child.tcl]
    set code [catch {exec [info nameofexecutable] $file 2>@1} output options]
    list [expr {$code ? [lindex [dict get $options -errorcode] end] : 0}] $output
}
test exit-1 {the end of a program while it is read, traced and registered} -body {
    run_script {
        package require twapi_etw
        namespace path twapi
        set provider [etw_twapi_provider_register]
        set h [etw_start_trace exiting -realtime 1]
        etw_enable_provider $h TwapiETWProvider -1 5
        set c [etw_open_session exiting]
        etw_process_events -background 1 -callback {lappend ::seen} $c
        proc target {} {etw_log_message $::provider "at the end"}
        trace add execution target {enter leave} [list ::twapi::etw_execution_tracker $provider]
        trace add variable h unset [list ::twapi::etw_variable_tracker $provider]
        trace add command target delete [list ::twapi::etw_command_tracker $provider]
        target
        etw_flush_trace $h
        after 30 {set ::step 1}
        vwait ::step
        target
        etw_stop_trace exiting
        puts good
        exit 0
    }
} -result {0 good}
test exit-2 {the library stays: it says so} -body {
    run_script {
        package require twapi_etw
        set library $twapi::tracewell::library
        puts [catch {unload $library Twapi_etw} message]
        puts [string match "*cannot be unloaded*" $message]
        puts [twapi::etw_twapi_provider_name]
    }
} -result "0 {1\n1\nTwapiETWProvider}"
test exit-3 {an interpreter ends inside its trace} -body {
    run_script {
        package require twapi_etw
        set i [interp create]
        $i eval [list set auto_path $auto_path]
        $i alias die interp delete $i
        $i eval {
            package require twapi_etw
            set provider [twapi::etw_twapi_provider_register]
            set h [twapi::etw_start_trace dying -realtime 1]
            twapi::etw_enable_provider $h TwapiETWProvider -1 5
            # Reading the variable for the tracker runs a trace that deletes the interpreter.
            set v 1
            trace add variable v read {apply {args {die}}}
            catch {twapi::etw_variable_tracker $provider v {} write}
        }
        twapi::etw_stop_trace dying
        puts [interp exists $i]
    }
} -result {0 0}
tcltest::cleanupTests
