source [file join [file dirname [info script]] support.tcl]

test message-1 {text of every kind comes back} -setup {file delete m.etl} -body {
    set texts [list plain "with \"quotes\", commas" "two\nlines" "\u00e9\u20ac" "\U1F600 beyond" \uD800 {}]
    traced m.etl {foreach text $texts {etw_log_message $provider $text}}
    set back [lmap p [own_properties m.etl] {lindex [dict get $p Message] 0}]
    expr {$back eq $texts ? "same" : $back}
} -result same
test message-2 {a zero ends the text, and what follows is whole} -setup {file delete m.etl} -body {
    traced m.etl {etw_command_tracker $provider "old\0rest" new rename}
    own_properties m.etl
} -result {{Operation rename OldName old NewName new Context {{}}}}
test message-3 {level by name} -setup {file delete m.etl} -body {
    traced m.etl {foreach level {verbose info warning error fatal} {etw_log_message $provider x $level}}
    recordarray column [etw_dump m.etl] -level -filter {{-opcodename eq Message}}
} -result {5 4 3 2 1}

test tracker-1 {truncation: 80 characters stay, 81 become 78 and three dots} -setup {file delete m.etl} -body {
    set fits [string repeat a 80]
    set long [string repeat \u20ac 81]
    traced m.etl {
        etw_execution_tracker $provider $fits enter
        etw_execution_tracker $provider $long 0 $long leave
    }
    lassign [own_properties m.etl] one two
    set cut [string repeat \u20ac 78]...
    list [expr {[dict get $one Command] eq $fits}] [expr {[dict get $two Command] eq $cut}] \
        [expr {[dict get $two Result] eq $cut}]
} -result {1 1 1}
test tracker-2 {context} -setup {file delete m.etl} -body {
    proc inner args {set local 1}
    proc outer {} {inner a b}
    traced m.etl {
        trace add execution inner enter [list ::twapi::etw_execution_tracker $provider]
        inner top
        outer
        uplevel #0 outer
        apply {{} {inner lambda}}
        trace remove execution inner enter [list ::twapi::etw_execution_tracker $provider]
    }
    lmap p [own_properties m.etl] {dict get $p Context}
} -result {{{}} outer outer {{apply {{} {inner lambda}}}}}
test tracker-3 {variables} -setup {file delete m.etl} -body {
    traced m.etl {
        foreach name {v a(x)} {
            trace add variable $name {write read unset} [list ::twapi::etw_variable_tracker $provider]
        }
        set v 1; set v; unset v
        set a(x) {two words}
    }
    lmap p [own_properties m.etl] {lrange $p 0 7}
} -result {{Operation write Name v Index {{}} Value 1} {Operation read Name v Index {{}} Value 1} {Operation unset Name v Index {{}} Value {{}}} {Operation write Name a Index x Value {{two words}}}}
test tracker-4 {nothing a tracker does reaches the traced script} -setup {file delete m.etl} -body {
    proc target {} {return [string repeat x 100000]}
    traced m.etl {
        set trackers {}
        trace add variable undefined read [list ::twapi::etw_variable_tracker $provider]
        set result [list [catch {set undefined} message] $message]
        foreach handle [list $provider 999 junk] {
            trace add execution target {enter leave} [list ::twapi::etw_execution_tracker $handle]
        }
        lappend result [string length [target]]
        set huge [string repeat y 100000]
        etw_variable_tracker $provider huge {} write
        set ::errorInfo kept
        etw_command_tracker $provider a b rename
        lappend result $::errorInfo [expr {[dict get [etw_errors] provider_events_lost] > 0}]
    }
    set result
} -result {1 {can't read "undefined": no such variable} 100000 kept 1}
test tracker-5 {no session, no work, no error} -body {
    set p [etw_twapi_provider_register]
    list [etw_provider_enabled] [etw_execution_tracker $p a enter] [etw_log_message $p nobody]
} -result {0 {} {}}

# Time, process and thread are of the moment; all else is not.
proc dump_text {args} {
    file delete dump.txt
    etw_dump_to_file -output dump.txt {*}$args
    set in [open dump.txt]
    set text [read $in]
    close $in
    return $text
}
test dump-1 {csv} -setup {file delete d.etl} -body {
    traced d.etl {
        etw_log_message $provider plain
        etw_log_message $provider "a \"quoted\", text" error
        etw_log_message $provider "two\nlines"
    }
    dump_text -fields {-level -taskname -opcodename -properties -message} \
        -filter {{-providername ~ twapi* -nocase}} d.etl
} -result {-level,-taskname,-opcodename,-properties,-message
4,0,Message,Message plain,Properties: Message plain
2,0,Message,"Message {{a ""quoted"", text}}","Properties: Message {{a ""quoted"", text}}"
4,0,Message,"Message {{two
lines}}","Properties: Message {{two
lines}}"
}
test dump-2 {list} -body {
    dump_text -format list -fields {-level -opcodename -properties} -filter {{-eventguid ~ {{D5*}}} {-level == 4}} d.etl
} -result {4 Message {Message plain}
4 Message {Message {{two
lines}}}
}
test dump-3 {separator, limit, no source} -body {
    list [dump_text -separator {;} -fields {-level -opcode} -filter {{-level >= 4}} d.etl] \
        [dump_text -limit 1 -fields {-opcodename} -filter {{-opcode eq 1}} d.etl] \
        [dump_text -limit 0 -fields -level d.etl] [dump_text -fields {-level -pid}]
} -result [list "-level;-opcode\n4;1\n4;1\n" "-opcodename\nMessage\n" "-level\n" "-level,-pid\n"]
test dump-4 {default fields} -body {lindex [split [dump_text d.etl] \n] 0} -result \
    -timecreated,-levelname,-providername,-pid,-taskname,-opcodename,-message
test dump-5 {lists and record arrays} -body {
    list [llength [etw_dump_to_list d.etl]] [recordarray size [etw_dump d.etl]] \
        [expr {[recordarray fields [etw_dump d.etl]] eq [etw_event]}]
} -result {4 4 1}
test dump-6 {a channel that is given stays open} -body {
    set out [open dump.txt w]
    etw_dump_to_file -output $out -fields -level -filter {{-level == 2}} d.etl
    puts $out end
    close $out
    set in [open dump.txt]
    set text [read $in]
    close $in
    set text
} -result "-level\n2\nend\n"

test consumer-1 {a callback for each buffer; break ends, errors are told} -body {
    set c [etw_open_file d.etl]
    set seen 0
    proc count {buffer events} {incr ::seen [llength $events]}
    proc stop {buffer events} {incr ::stopped; return -code break}
    set stopped 0
    list [etw_process_events -callback count $c] $seen [etw_process_events -callback stop $c] $stopped \
        [failure {etw_process_events -callback {apply {args {error oops {} {MY CODE}}}} $c}]
} -result {{} 4 {} 1 {{MY CODE} oops}}
test consumer-2 {no reading inside of reading} -body {
    proc again {c buffer events} {etw_process_events $c}
    lindex [failure {etw_process_events -callback [list again $c] $c}] 1
} -result {Recursive call to ProcessTrace}
test consumer-3 {closing while reading} -body {
    set d [etw_open_file d.etl]
    proc shut {d args} {catch {etw_close_session $d}}
    list [etw_process_events -callback [list shut $d] $d] [lindex [failure {etw_close_session $d}] 0]
} -result {{} {TWAPI BADARGS}}
test consumer-4 {times} -body {
    set times [recordarray column [etw_dump d.etl] -timecreated]
    set f [etw_open_formatter]
    lassign $times - second third
    set take [list apply {{f c args} {
        recordarray size [etw_format_events $f {*}[etw_process_events {*}$args $c]]
    } ::twapi} $f $c]
    list [{*}$take] [{*}$take -start $second] [{*}$take -end $second] [{*}$take -start $second -end $third]
} -result {4 3 2 2}
test consumer-5 {several files in one order} -setup {file delete e.etl} -body {
    traced e.etl {etw_log_message $provider later}
    set times [recordarray column [etw_dump e.etl d.etl] -timecreated]
    list [llength $times] [expr {$times eq [lsort -integer $times]}]
} -result {6 1}
test consumer-6 {the same records by both ways} -body {
    set f [etw_open_formatter]
    expr {[recordarray getlist [etw_format_events $f {*}[etw_process_events $c]]] eq [etw_dump_to_list d.etl]}
} -result 1
test consumer-7 {without its description an event has its bytes} -body {
    etw_uninstall_twapi_mof
    set properties [lindex [recordarray column [etw_dump d.etl] -properties] 1]
    etw_install_twapi_mof
    encoding convertfrom [expr {[package vsatisfies [package provide Tcl] 9] ? "utf-16le" : "unicode"}] \
        [dict get $properties _userdata]
} -result plain\0

test trace-1 {properties} -setup {file delete t.etl} -body {
    set h [etw_start_trace props -logfile t.etl -buffersize 32 -minbuffers 6 -maxbuffers 12 -flushtimer 3 -maxfilesize 2]
    set d [etw_query_trace PROPS]
    set stopped [etw_stop_trace $h]
    list [dict keys $d] [lmap k {buffer_size min_buffers max_buffers max_file_size flush_timer clock_resolution} {dict get $d $k}] \
        [dict get $stopped clock_resolution] [file tail [dict get $d logfile]]
} -result [list [etw_trace_properties] {32 6 12 2 3 system} 2 t.etl]
test trace-2 {a name that is taken; a stale handle} -body {
    set h [etw_start_trace taken -realtime 1]
    set result [list [lindex [failure {etw_start_trace TAKEN -realtime 1}] 0]]
    etw_stop_trace taken
    lappend result [lindex [failure {etw_stop_trace $h}] 0]
} -result {{TWAPI_WIN32 183} {TWAPI_WIN32 4201}}
test trace-3 {kernel classes; those not delivered are told} -setup {file delete k.etl} -body {
    set h [etw_start_kernel_trace {process diskfileio sysconfig} -logfile k.etl]
    set d [etw_stop_trace $h]
    list [format 0x%x [dict get $d enable_flags]] [dict get $d undelivered_classes]
} -result {0x701 {process diskio diskfileio diskioinit}}
test trace-4 {rotation} -body {
    file delete {*}[glob -nocomplain r*.etl]
    traced r%d.etl {
        set text [string repeat "some text " 800]
        for {set i 0} {$i < 400} {incr i} {etw_log_message $provider $text; if {$i % 20 == 0} {after 5}}
    } -filemode rotate -maxfilesize 1
    set files [lsort [glob r*.etl]]
    set total 0
    foreach file $files {incr total [llength [own_properties $file]]}
    list [expr {[llength $files] > 1}] $total
} -result {1 400}
test trace-5 {a circular file keeps the last events} -setup {file delete c.etl} -body {
    set provider [etw_twapi_provider_register]
    set h [etw_start_trace circular -logfile c.etl -maxfilesize 1]
    etw_enable_provider $h TwapiETWProvider -1 verbose
    set text [string repeat x 4000]
    for {set i 0} {$i < 600} {incr i} {etw_log_message $provider "$i $text"; if {$i % 20 == 0} {after 5}}
    etw_stop_trace $h
    set numbers [lmap p [own_properties c.etl] {lindex [dict get $p Message] 0 0}]
    list [expr {[llength $numbers] < 600}] [lindex $numbers end] [expr {[file size c.etl] <= 1100000}]
} -result {1 599 1}
tcltest::cleanupTests
