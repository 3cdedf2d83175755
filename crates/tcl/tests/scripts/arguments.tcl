source [file join [file dirname [info script]] support.tcl]

test option-1 {an option that is not one} -body {
    set words {-bad 1}
    failure {parseargs words {a.int b.arg}}
} -result {{TWAPI 1} {Invalid option '-bad'. Must be one of -a, -b}}
test option-2 {no value} -body {
    failure {etw_start_trace x -logfile}
} -result {{TWAPI 1} {No value supplied for option '-logfile'}}
test option-3 {bad values} -body {
    list [failure {etw_start_trace x -buffersize big}] [failure {etw_start_trace x -paged maybe}] \
        [failure {etw_start_trace x -filemode round}] [failure {etw_start_trace x -clockresolution sundial}]
} -result [list \
    {{TWAPI 1} {Non-integer value 'big' specified for option '-buffersize'.}} \
    {{TWAPI 1} {Non-boolean value 'maybe' specified for option '-paged'.}} \
    {{TWAPI 1} {Invalid value 'round' specified for option '-filemode'.}} \
    {{TWAPI 1} {Invalid value 'sundial' specified for option '-clockresolution'.}}]
test option-4 {extra words} -body {
    failure {etw_start_trace x -logfile a.etl more and more}
} -result {{TWAPI 3} {Command has extra arguments specified: more and more}}

# Every command that takes options, with all of them and what kind each is.
set options {
    {etw_start_trace name} {
        traceguid any logfile any buffersize int minbuffers int maxbuffers int maxfilesize int flushtimer int enableflags int
        filemode choice clockresolution symbol sequence symbol private bool realtime bool secure bool privateinproc bool
        paged bool preallocate bool
    }
    {etw_update_trace missing} {traceguid any logfile any flushtimer int maxbuffers int enableflags int realtime bool}
    {etw_get_traces} {detail switch}
    {etw_get_providers} {detail switch types any}
    {etw_process_events} {callback any start any end any background bool}
    {etw_dump_to_file} {output any limit int format choice separator any fields any filter any}
}
test option-5 {the wording and code of every option's errors, by command} -body {
    set wrong {}
    foreach {command all} $options {
        set names [lmap name [lsort [dict keys $all]] {string cat - $name}]
        set checks [list [list {-nosuch} 1 "Invalid option '-nosuch'. Must be one of *"]]
        dict for {name kind} $all {
            if {$kind ne "switch"} {
                lappend checks [list [list -$name] 1 "No value supplied for option '-$name'"]
            }
            switch -exact -- $kind {
                int {lappend checks [list [list -$name 1x] 1 "Non-integer value '1x' specified for option '-$name'."]}
                bool {lappend checks [list [list -$name 1x] 1 "Non-boolean value '1x' specified for option '-$name'."]}
                choice - symbol {lappend checks [list [list -$name 1x] 1 "Invalid value '1x' specified for option '-$name'."]}
            }
        }
        foreach check $checks {
            lassign $check words number message
            set got [failure [list {*}$command {*}$words]]
            if {[lindex $got 0] ne "TWAPI $number" || ![string match $message [lindex $got 1]]} {
                lappend wrong [list {*}$command {*}$words] $got
            }
        }
        # The message names every option.
        set listed [regsub {.*one of } [lindex [failure [list {*}$command -nosuch]] 1] {}]
        if {[lsort [split [string map {", " ,} $listed] ,]] ne $names} {lappend wrong $command $listed}
    }
    set wrong
} -result {}
test words-1 {too few and too many words: an error for every command, and nothing worse} -body {
    set wrong {}
    foreach command [lsort [concat [info commands ::twapi::etw_*] [info commands ::twapi::tracewell::*]]] {
        set name [namespace tail $command]
        # Those that take any number of words, or end only when they have served.
        if {$name in {run_daemon daemon fail find_daemon etw_dump etw_dump_to_list etw_load_descriptions process read_on}} continue
        if {![catch {uplevel #0 [list $command {*}[lrepeat 40 junk]]} message options]} {lappend wrong $name}
    }
    set wrong
} -result {}
test words-2 {junk in every place of every command is an error or a result, and never a crash} -body {
    set tried 0
    foreach command [lsort [info commands ::twapi::etw_*]] {
        # It would write to standard output.
        if {$command eq "::twapi::etw_dump_to_file"} continue
        foreach word [list {} junk -1 0 99999999999999999999 "\{" \uD800 [string repeat x 100000] {a b c}] {
            for {set count 0} {$count < 7} {incr count} {
                incr tried
                catch {uplevel #0 [list $command {*}[lrepeat $count $word]]}
            }
        }
    }
    foreach session [etw_get_traces] {catch {etw_stop_trace $session}}
    file delete junk {*}[glob -nocomplain xxxx*]
    expr {$tried > 2000}
} -result 1

test start-1 {options that contradict each other} -body {
    lmap options {
        {} {-filemode append -realtime 1} {-filemode append -private 1 -logfile a} {-realtime 1 -private 1}
        {-filemode append -logfile a -clockresolution qpc} {-filemode rotate -logfile a%d -maxfilesize 0}
        {-preallocate 1 -filemode sequential -logfile a}
    } {lindex [failure {etw_start_trace x {*}$options}] 0}
} -result {{TWAPI BADARGS} {TWAPI BADARGS} {TWAPI BADARGS} {TWAPI BADARGS} NONE NONE NONE}
test start-2 {the kernel's session does not rotate} -body {
    failure {etw_start_trace "nt kernel logger" -logfile a%d -filemode rotate}
} -result {NONE {Option -filemode cannot have value "rotate" for NT Kernel Logger}}
test start-3 {unknown kernel class} -body {
    failure {etw_start_kernel_trace {process wheels} -logfile a}
} -match glob -result {{TWAPI BADARGS} {Unknown kernel event class "wheels". Must be one of process, *}}
test start-4 {a folder that is not there} -body {
    lindex [failure {etw_start_trace x -logfile no/such/folder/x.etl}] 0
} -match regexp -result {^TWAPI_WIN32 (3|161)$}
test start-5 {no such session, no such handle} -body {
    list [lindex [failure {etw_stop_trace missing}] 0] [lindex [failure {etw_query_trace 12345}] 0] \
        [lindex [failure {etw_enable_provider 12345 [etw_twapi_provider_guid] -1 5}] 0]
} -result {{TWAPI_WIN32 4201} {TWAPI_WIN32 4201} {TWAPI_WIN32 6}}
test start-6 {unknown provider} -body {
    failure {etw_enable_provider 1 "No such provider" 0 5}
} -result {{TWAPI BADARGS} {Provider "No such provider" not found.}}

test file-1 {a file that is missing, empty, or no trace} -body {
    tcltest::makeFile {} empty.etl
    tcltest::makeFile [string repeat "no trace " 100] text.etl
    lmap name {missing.etl empty.etl text.etl} {
        lindex [failure {etw_open_file [file join [tcltest::temporaryDirectory] $name]}] 0
    }
} -result {{TWAPI_WIN32 2} {TWAPI_WIN32 1392} {TWAPI_WIN32 1392}}
# Now and then valgrind cannot deliver the signal of a missing page, when the stack has not yet grown to where it would go.
tcltest::testConstraint noValgrind [expr {![info exists env(TRACEWELL_VALGRIND)]}]
test file-3 {a file that is shortened while it is open gives the events that are left, and an error (issue 14)} -constraints noValgrind -body {
    traced big.etl {for {set i 0} {$i < 8000} {incr i} {etw_log_message $provider "message $i [string repeat . 60]"}} \
        -buffersize 64 -maxbuffers 64
    set consumer [etw_open_file big.etl]
    set out [open big.etl r+]
    chan truncate $out 300001
    close $out
    set ::count 0
    set failure [failure {etw_process_events -callback {apply {{buffer events} {incr ::count [llength $events]}}} $consumer}]
    etw_close_session $consumer
    list [lindex $failure 0] [string match "*became shorter*" [lindex $failure 1]] [expr {$::count > 0 && $::count < 8000}]
} -result {{TWAPI_WIN32 1392} 1 1}
test file-2 {every prefix of a trace is an error or events, and never a crash} -body {
    traced whole.etl {for {set i 0} {$i < 50} {incr i} {etw_log_message $provider "message $i"}}
    set in [open whole.etl rb]; set bytes [read $in]; close $in
    for {set size 0} {$size < [string length $bytes]} {incr size [expr {1 + $size / 7}]} {
        set out [open cut.etl wb]
        puts -nonewline $out [string range $bytes 0 $size-1]
        close $out
        if {[catch {etw_dump cut.etl} result options]} {
            if {[lindex [dict get $options -errorcode] 0] ne "TWAPI_WIN32"} {error "$size: $result"}
        }
    }
    set kinds {}
    expr {srand(7)}
    for {set round 0} {$round < 100} {incr round} {
        set at [expr {int(rand() * [string length $bytes])}]
        set out [open cut.etl wb]
        puts -nonewline $out [string replace $bytes $at $at+3 [binary format i [expr {int(rand() * 4e9)}]]]
        close $out
        catch {etw_dump cut.etl}
    }
    llength [own_properties whole.etl]
} -result 50

test handle-1 {closed and unknown consumers} -body {
    set c [etw_open_file whole.etl]
    list [etw_close_session $c] [failure {etw_close_session $c}] [failure {etw_process_events $c}] \
        [failure {etw_process_events none}]
} -match glob -result {{} {{TWAPI BADARGS} {Cannot find trace session*}} {{TWAPI BADARGS} {Cannot find *}} {{TWAPI BADARGS} {Cannot find *}}}
test handle-2 {no consumer} -body {failure etw_process_events} -result \
    {NONE {At least one trace handle must be specified.}}
test handle-3 {formatters} -body {
    set f [etw_open_formatter]
    list [string match tdh* $f] [etw_format_events $f] [etw_close_formatter $f] [etw_close_formatter $f] \
        [failure {etw_format_events $f}]
} -result "1 [list [list [etw_event] {}]] {} {} {{TWAPI BADARGS} {Invalid ETW formatter id \"tdh*\"}}" -match glob
test handle-4 {what is no event} -body {
    set f [etw_open_formatter]
    list [lindex [failure {etw_format_events $f {} {}}] 0] [lindex [failure {etw_format_events $f one}] 0] \
        [lindex [failure {etw_format_events $f [list a b c d [lrepeat 21 1]] {{x y}}}] 0]
} -result {{TWAPI BADARGS} {TWAPI BADARGS} {TWAPI BADARGS}}
test handle-5 {providers} -body {
    list [lindex [failure {etw_unregister_provider 77}] 0] [lindex [failure {etw_log_message 77 hello}] 0] \
        [lindex [failure {etw_log_message [etw_twapi_provider_register] hello loud}] 0]
} -result {{TWAPI BADARGS} {TWAPI_WIN32 6} {TWAPI BADARGS}}

test dump-1 {what a dump refuses} -body {
    list [failure {etw_dump_to_file -output whole.etl}] [failure {etw_dump_to_file -format xml}] \
        [failure {etw_dump_to_file -fields {-nothing} whole.etl}] \
        [lindex [failure {etw_dump_to_file -filter {{-pid ? 1}} whole.etl}] 0] \
        [lindex [failure {etw_dump_to_file nosuchsession}] 0]
} -result [list {NONE {File whole.etl already exists.}} \
    {{TWAPI 1} {Invalid value 'xml' specified for option '-format'.}} \
    {NONE {can't read "-nothing": no such event field}} {TWAPI BADARGS} {TWAPI_WIN32 4201}]
tcltest::cleanupTests
