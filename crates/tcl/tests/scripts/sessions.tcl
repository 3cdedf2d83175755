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
    list [etw_provider_enabled] [etw_execution_tracker $p a enter] [etw_log_message $p unread]
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

# The sample trace of the source tree, against files beside this one; TRACEWELL_BLESS=1 writes them.
foreach {format extension} {csv csv list txt} {
    test dump-7-$format "the sample as $format" -setup {file delete golden.txt} -body {
        set here [file dirname [info script]]
        etw_dump_to_file -output golden.txt -format $format -limit 60 -fields {
            -timecreated -pid -tid -providername -level -taskname -opcodename -message
        } -filter {{-providername ne MSNT_SystemTrace}} [file join $here ../../../../testdata/sample.etl]
        etw_dump_to_file -output golden2.txt -format $format -limit 60 \
            -fields {-timecreated -eventguid -opcode -version -opcodename -properties} \
            -filter {{-providername eq MSNT_SystemTrace} {-opcodename ne Header}} \
            [file join $here ../../../../testdata/sample.etl]
        set text {}
        foreach name {golden.txt golden2.txt} {
            set in [open $name]
            append text [read $in]
            close $in
        }
        set golden [file join $here ../golden/sample.$extension]
        if {[info exists env(TRACEWELL_BLESS)]} {
            set out [open $golden w]
            fconfigure $out -encoding utf-8 -translation lf
            puts -nonewline $out $text
            close $out
        }
        set in [open $golden]
        fconfigure $in -encoding utf-8 -translation lf
        set wanted [read $in]
        close $in
        list [expr {$text eq $wanted}] [expr {[llength [split $text \n]] > 120}]
    } -result {1 1} -cleanup {file delete golden.txt golden2.txt}
}

test dump-8 {the names of keywords} -body {
    set here [file dirname [info script]]
    set rows [recordarray getlist [etw_dump [file join $here ../../../../testdata/sample.etl]] \
        -slice {-keywordmask -keywords} -filter {{-providername eq Microsoft-Windows-DotNETRuntime}}]
    dict get [concat {*}[lsort -unique $rows]] 48
} -result {JitKeyword NGenKeyword}

test dump-9 {issue 13: an archive is opened as the trace in it} -body {
    set sample [file join [file dirname [info script]] ../../../../testdata/sample.etl]
    set in [open $sample rb]
    set bytes [read $in]
    close $in
    set out [open sample.etl.gz wb]
    puts -nonewline $out [zlib gzip $bytes]
    close $out
    set fields {-timecreated -pid -providername -opcodename}
    set rows {}
    foreach file [list $sample sample.etl.gz] {
        lappend rows [recordarray getlist [etw_dump $file] -slice $fields]
    }
    set cut [open cut.etl.gz wb]
    puts -nonewline $cut [string range [zlib gzip $bytes] 0 5000]
    close $cut
    list [expr {[lindex $rows 0] eq [lindex $rows 1]}] [expr {[llength [lindex $rows 1]] > 1000}] \
        [lindex [failure {etw_open_file cut.etl.gz}] 0]
} -result {1 1 {TWAPI_WIN32 1392}} -cleanup {file delete sample.etl.gz cut.etl.gz}

test consumer-1 {a callback for each buffer; break ends, errors are reported} -body {
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
        [binary decode hex [dict get $properties _userdata]]
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
test trace-3 {kernel classes; those not delivered are reported} -setup {file delete k.etl} -body {
    set h [etw_start_kernel_trace {process diskfileio registry sysconfig} -logfile k.etl]
    set d [etw_stop_trace $h]
    # Where the kernel can be traced, what Linux has is delivered.
    set expected {registry sysconfig}
    if {![::twapi::tracewell::offered]} {
        set expected {process diskio diskfileio diskioinit registry sysconfig}
    }
    list [format 0x%x [dict get $d enable_flags]] [expr {[dict get $d undelivered_classes] eq $expected}]
} -result {0x20701 1}
test trace-3b {every kernel class is accepted, and its bits are those of Windows} -setup {file delete k.etl} -body {
    set wrong {}
    dict for {class bits} {
        process 0x1 thread 0x2 imageload 0x4 processcounter 0x8 contextswitch 0x10 dpc 0x20 interrupt 0x40
        systemcall 0x80 diskio 0x500 diskfileio 0x700 diskioinit 0x400 dispatcher 0x800 pagefault 0x1000
        hardfault 0x2000 virtualalloc 0x4000 vamap 0x8000 tcpip 0x10000 registry 0x20000 dbgprint 0x40000
        alpc 0x100000 splitio 0x200000 driver 0x800000 profile 0x1000000 fileio 0x2000000
        fileioinit 0x4000000 sysconfig 0
    } {
        set h [etw_start_kernel_trace $class -logfile k.etl]
        set d [etw_query_trace "NT Kernel Logger"]
        etw_stop_trace $h
        # Exactly the classes that this system does not deliver are reported.
        set silent [expr {!$bits || ($bits & ~[::twapi::tracewell::offered])}]
        if {([dict get $d enable_flags] & 0xfffffff) != $bits || ($class in [dict get $d undelivered_classes]) != $silent
                || ("sysconfig" in [dict get $d undelivered_classes]) != ($class eq "sysconfig")} {
            lappend wrong $class $d
        }
        file delete k.etl
    }
    set wrong
} -result {}
test trace-3c {enabled providers of Windows that do not exist here are reported; others and disabled ones are not} -constraints {
    unix
} -body {
    set h [etw_start_trace silent -realtime 1]
    etw_enable_provider $h [etw_twapi_provider_guid] -1 5
    set before [dict exists [etw_query_trace silent] undelivered_providers]
    set result [etw_enable_provider $h Microsoft-Windows-Kernel-Registry 0x10 5]
    set reported [dict get [etw_query_trace SILENT] undelivered_providers]
    etw_disable_provider $h Microsoft-Windows-Kernel-Registry
    set after [dict exists [etw_query_trace $h] undelivered_providers]
    list $before $result $reported $after
} -cleanup {
    etw_stop_trace $h
} -result {0 {} Microsoft-Windows-Kernel-Registry 0}
# The walkthrough of TWAPI: the connections of this process, as the kernel logs them.
set h [etw_start_trace probes -realtime 1]
etw_stop_trace $h
tcltest::testConstraint kernel [expr {[::twapi::tracewell::offered] & 0x10000}]
if {![tcltest::testConstraint kernel]} {
    puts "SKIPPED kernel: its events need root"
}
proc transfer {} {
    set server [socket -server {apply {{channel args} {
        puts -nonewline $channel [string repeat x 700]
        close $channel
        set ::accepted 1
    }}} -myaddr 127.0.0.1 0]
    set port [lindex [fconfigure $server -sockname] 2]
    set client [socket 127.0.0.1 $port]
    # Nothing is accepted while this waits for data, however long it takes until then.
    vwait ::accepted
    set got [string length [read $client]]
    close $client
    close $server
    list $port $got
}
test trace-3d {issue 16: connections as events of the kernel's network provider} -constraints kernel -body {
    file delete n.etl n.txt
    set h [etw_start_trace network -logfile n.etl]
    etw_enable_provider $h Microsoft-Windows-Kernel-Network 0x10 5
    lassign [transfer] port got
    set stopped [etw_stop_trace $h]
    etw_dump_to_file -output n.txt -fields {-taskname -opcodename -properties} n.etl
    set channel [open n.txt]
    set lines [split [read $channel] \n]
    close $channel
    set found {}
    foreach {opcode size} {"Connection attempted." 0 "Data received." 700 "Disconnect issued." 0} {
        set wanted "KERNEL_NETWORK_TASK_TCPIP,$opcode,PID [pid] size $size daddr 127.0.0.1 saddr 127.0.0.1 dport $port sport *"
        lappend found [llength [lsearch -all -glob $lines $wanted]]
    }
    list $got $found [dict exists $stopped undelivered_providers]
} -result {700 {1 1 1} 0}
test trace-3e {issue 16: events of the kernel's classes} -constraints kernel -body {
    file delete k.etl
    set h [etw_start_kernel_trace {process tcpip} -logfile k.etl]
    lassign [transfer] port got
    exec true
    etw_stop_trace $h
    set found {}
    foreach event [recordarray getlist [etw_dump k.etl] -format dict] {
        incr count([dict get $event -taskname],[dict get $event -opcodename])
    }
    list $got [expr {$count(Process,Start) >= 1}] [expr {$count(TcpIp,RecvIPV4) >= 1}]
} -result {700 1 1}
test trace-4 {rotation} -body {
    file delete {*}[glob -nocomplain r*.etl]
    traced r%d.etl {
        set text [string repeat "some text " 800]
        for {set i 0} {$i < 400} {incr i} {etw_log_message $provider $text; if {$i % 20 == 0} {etw_flush_trace $trace}}
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
    for {set i 0} {$i < 600} {incr i} {etw_log_message $provider "$i $text"; if {$i % 20 == 0} {etw_flush_trace $h}}
    etw_stop_trace $h
    set numbers [lmap p [own_properties c.etl] {lindex [dict get $p Message] 0 0}]
    list [expr {[llength $numbers] < 600}] [lindex $numbers end] [expr {[file size c.etl] <= 1100000}]
} -result {1 599 1}
test mof-1 {by the class alone, as before TDH} -setup {file delete m.etl} -body {
    traced m.etl {
        etw_log_message $provider "a b" critical
        etw_execution_tracker $provider "p 5" enter
    }
    set plain [etw_open_formatter]
    set before [etw_force_mof 1]
    set formatter [etw_open_formatter]
    set records [etw_dump m.etl]
    set result [list $before [etw_force_mof] [string range $plain 0 2] [string range $formatter 0 2] \
        [recordarray getlist $records -slice {-providername -levelname -properties} -filter {{-providername eq TwapiETWEventClass}}]]
    etw_uninstall_twapi_mof
    lappend result [dict keys [lindex [recordarray column [etw_dump m.etl] -properties] end]]
    etw_install_twapi_mof
    etw_force_mof 0
    etw_close_formatter $formatter
    etw_close_formatter $plain
    lappend result [failure {etw_force_mof maybe}] [etw_force_mof]
} -result {0 1 tdh mof {{TwapiETWEventClass Critical {Message {a b}}} {TwapiETWEventClass {Log Always} {Operation enter Command {p 5} Code {} Result {} Context {}}}} _mofdata {{TCL VALUE} {expected boolean value but got "maybe"}} 0}
test mof-2 {the commands of WMI say what to do} -body {
    lsort -unique [lmap command {
        etw_parse_mof_event_class etw_find_mof_event_classes etw_get_all_mof_event_classes etw_load_mof_event_class
        etw_load_mof_event_classes etw_load_mof_event_class_obj
    } {lindex [failure {$command any {B358E9D9-4D82-4A82-A129-BAC098C54746}}] 0}]
} -result {{TWAPI_WIN32 50}}
test mof-3 {accessors of old events} -body {
    list [mof_event] [mof_event_header type {3 4 0 1 2 5 {} 0 0 0}] [tdh_event_header]
} -result {{header instance_id parent_instance_id parent_guid data} 3 {flags event_property tid pid timestamp kernel_time user_time processor_time activity_id descriptor provider_guid}}
# The last test: what is given stays.
test describe-1 {descriptions that the user gives} -body {
    tcltest::makeFile {
        [Guid("{D5B52E95-8447-40C1-B316-539894449B36}")] class Notes : EventTrace {};
        [EventType(1), EventTypeName("Note")] class Notes_Note : Notes {
            [WmiDataId(1), StringTermination("NullTerminated"), Format("w")] string Text;
        };
    } notes.mof
    tcltest::makeFile "nothing of the kind" other.mof
    etw_uninstall_twapi_mof
    set result [list [etw_load_descriptions notes.mof] \
        [recordarray getlist [etw_dump m.etl] -slice {-opcodename -properties} -filter {{-opcode == 1}}] \
        [lindex [failure {etw_load_descriptions missing.mof}] 0] \
        [lindex [failure {etw_load_descriptions other.mof}] 0] [lindex [failure {etw_load_descriptions .}] 0 0]]
    etw_install_twapi_mof
    set result
} -result {Notes {{Note {Text {{a b}}}}} {TWAPI_WIN32 2} {TWAPI BADARGS} TWAPI_WIN32}
# Issue 15: a name enables a provider before the first program registers it.
test order-1 {the session first, then the program} -setup {file delete o.etl} -body {
    set h [etw_start_trace order -logfile o.etl -filemode sequential]
    etw_enable_provider $h twapietwprovider -1 5
    etw_enable_provider $h Contoso-Registered-Later -1 5
    tcltest::makeFile {
        package require twapi_etw
        twapi::etw_log_message [twapi::etw_twapi_provider_register] "from a child"
    } child.tcl
    exec [info nameofexecutable] child.tcl
    etw_stop_trace $h
    own_properties o.etl
} -result {{Message {{from a child}}}}

# Issue 15: what a consumer holds does not depend on the size of buffers.
test batches-1 {a callback gets at most 1000 events} -setup {file delete b.etl} -body {
    traced b.etl {
        for {set i 0} {$i < 2500} {incr i} {etw_log_message $provider $i}
    } -buffersize 1024
    set session [etw_open_file b.etl]
    set sizes {}
    etw_process_events -callback {apply {{buffer events} {lappend ::sizes [llength $events]}}} $session
    etw_close_session $session
    list [tcl::mathfunc::max {*}$::sizes] [expr {[tcl::mathop::+ {*}$::sizes] >= 2500}] \
        [lmap p [own_properties b.etl] {lindex [dict get $p Message] 0}]
} -match glob -result [list 1000 1 [lsearch -all [lrepeat 2500 x] x]]

tcltest::cleanupTests
