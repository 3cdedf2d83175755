# Runs the snippets of docs/tcl.md, which are those of the wiki page, with a server of our own.
source [file join [file dirname [info script]] support.tcl]
set document [file join [file dirname [info script]] ../../../../docs/tcl.md]

proc snippets {file} {
    set in [open $file]
    fconfigure $in -encoding utf-8
    set text [read $in]
    close $in
    lmap {whole code} [regexp -all -inline {```tcl\n(.*?)```} $text] {set code}
}

test walkthrough-1 {every snippet runs} -body {
    set ran 0
    foreach snippet [snippets $document] {
        uplevel #0 $snippet
        incr ran
    }
    expr {$ran >= 6}
} -result 1
test walkthrough-2 {the dump has the shape of the wiki's} -body {
    set in [open http.txt]
    set lines [split [string trim [read $in]] \n]
    close $in
    list [lindex $lines 0] \
        [regexp {^\d{18},0,ExecutionTrace,"?Operation enter Command \{\{http::geturl http://127\.0\.0\.1:\d+/\}\} Code \{\{\}\} Result \{\{\}\} Context \{\{\}\}} [lindex $lines 2]] \
        [regexp {^\d{18},0,ExecutionTrace,"?Operation leave Command \{\{http::geturl [^\}]*\}\} Code 0 Result ::http::\d Context \{\{\}\}} [lindex $lines end]] \
        [expr {[llength $lines] > 100}]
} -result {-timecreated,-taskname,-opcodename,-properties 1 1 1}
test walkthrough-3 {what stopping tells} -body {
    list [dict keys $stopped] [dict get $stopped trace_name] [dict get $stopped events_lost]
} -result [list [etw_trace_properties] MyHttpTrace 0]
tcltest::cleanupTests
