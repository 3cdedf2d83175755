# Runs the transcript of the wiki page line by line, then the snippets of docs/tcl.md, with a local server.
#
# The transcript starts with http. A package that is asked for later may be one that Tcl 9 loads when its first command is
# called, and a command that is not loaded cannot be traced.
package require http
source [file join [file dirname [info script]] support.tcl]
set document [file join [file dirname [info script]] ../../../../docs/tcl.md]

proc snippets {file} {
    set in [open $file]
    fconfigure $in -encoding utf-8
    set text [read $in]
    close $in
    lmap {whole code} [regexp -all -inline {```tcl\n(.*?)```} $text] {set code}
}

# The server of the walk, which is also that of the transcript.
uplevel #0 [lindex [snippets $document] 0]

# The page's commands, each with the shape of what it answers. The fifth is the author's slip, and its error.
test wiki-1 {the transcript, line by line} -body {
    file delete http.etl http.txt
    set wrong {}
    set kept_url $url
    foreach {command shape} {
        {package require http} {^2\.\d+\.\d+$}
        {set hprov [etw_twapi_provider_register]} {^\d+$}
        {set htrace [twapi::etw_start_trace MyHttpTrace -logfile http.etl]} {^\d+$}
        {twapi::etw_enable_provider $htrace [twapi::etw_twapi_provider_guid] -1 5} {^$}
        {trace add execution p {enter enterstep leave leavestep} [list ::http::geturl $hprov]} {^unknown command "p"$}
        {trace add execution ::http::geturl {enter enterstep leave leavestep} [list ::twapi::etw_execution_tracker $hprov]} {^$}
        {twapi::etw_enable_provider $htrace Microsoft-Windows-Kernel-Network 0x10 5} {^$}
        {http::geturl $url} {^::http::\d+$}
        {set wiki_stopped [etw_stop_trace $htrace]} {^logfile \S*http.etl trace_name MyHttpTrace trace_guid \{\{[0-9A-F-]{36}\}\} buffer_size 64 min_buffers \d+ max_buffers \d+ max_file_size 1 logfile_mode \d+ flush_timer 0 enable_flags 0 clock_resolution 2 age_limit 0 buffer_count \d+ free_buffers \d+ events_lost 0 buffers_written \d+ log_buffers_lost 0 real_time_buffers_lost 0 logger_tid \d+$}
        {etw_install_twapi_mof} {^$}
        {etw_dump_to_file -output http.txt -fields {-timecreated -taskname -opcodename -properties} http.etl} {^$}
    } {
        catch {uplevel #0 $command} answer
        if {![regexp $shape $answer]} {
            lappend wrong $command $answer
        }
    }
    trace remove execution ::http::geturl {enter enterstep leave leavestep} [list ::twapi::etw_execution_tracker $hprov]
    set wrong
} -result {}
# The lines of the dump on the page, except those of the kernel's network provider.
test wiki-2 {the lines of the dump} -body {
    set in [open http.txt]
    set text [read $in]
    close $in
    set at 0
    set missing {}
    foreach shape {
        {^-timecreated,-taskname,-opcodename,-properties$}
        {^\d{18},0,ExecutionTrace,Operation enter Command \{\{http::geturl http://127\.0\.0\.1:\d+/\}\} Code \{\{\}\} Result \{\{\}\} Context \{\{\}\}$}
        {^\d{18},0,ExecutionTrace,Operation enterstep Command \{\{variable (http|urlTypes)\}\} Code \{\{\}\} Result \{\{\}\} Context \{\{http::geturl http://127\.0\.0\.1:\d+/\}\}$}
        {^\d{18},0,ExecutionTrace,Operation enterstep Command \{\{vwait ::http::1\(status\)\}\} Code \{\{\}\} Result \{\{\}\} Context \{\{(::)?(http::)?wait ::http::1\}\}$}
        {^\d{18},0,ExecutionTrace,Operation leavestep Command \{\{(tkcon_tcl_)?gets \S* state\(http\)\}\} Code 0 Result \d+ Context \{\{.*::http::1\}\}$}
        {^\d{18},0,ExecutionTrace,Operation enterstep Command \{\{return ::http::1\}\} Code \{\{\}\} Result \{\{\}\} Context \{\{http::geturl http://127\.0\.0\.1:\d+/\}\}$}
        {^\d{18},0,ExecutionTrace,Operation leavestep Command \{\{return ::http::1\}\} Code 2 Result ::http::1 Context \{\{http::geturl http://127\.0\.0\.1:\d+/\}\}$}
        {^\d{18},0,ExecutionTrace,Operation leave Command \{\{http::geturl http://127\.0\.0\.1:\d+/\}\} Code 0 Result ::http::1 Context \{\{\}\}$}
    } {
        # Each after the one before it, as on the page.
        if {[regexp -line -indices -start $at $shape $text found]} {
            set at [lindex $found 1]
        } else {
            lappend missing $shape
        }
    }
    set missing
} -result {} -cleanup {file delete http.etl http.txt; http::cleanup ::http::1}

test walkthrough-1 {every snippet runs} -body {
    set ran 0
    foreach snippet [lrange [snippets $document] 1 end] {
        uplevel #0 $snippet
        incr ran
    }
    expr {$ran >= 5}
} -result 1
test walkthrough-2 {the dump has the shape of the wiki's} -body {
    set in [open http.txt]
    set lines [split [string trim [read $in]] \n]
    close $in
    # The network provider sees every program of the machine, and its lines may be anywhere.
    set own [lsearch -all -inline -glob $lines *,ExecutionTrace,*]
    list [lindex $lines 0] \
        [regexp {^\d{18},0,ExecutionTrace,"?Operation enter Command \{\{http::geturl http://127\.0\.0\.1:\d+/\}\} Code \{\{\}\} Result \{\{\}\} Context \{\{\}\}} [lindex $own 0]] \
        [regexp {^\d{18},0,ExecutionTrace,"?Operation leave Command \{\{http::geturl [^\}]*\}\} Code 0 Result ::http::\d Context \{\{\}\}} [lindex $own end]] \
        [expr {[llength $own] > 100}]
} -result {-timecreated,-taskname,-opcodename,-properties 1 1 1}
test walkthrough-4 {descriptions and errors} -body {
    list $described $reasons
} -result {Till {missing {no such session} {Non-integer value 'big' specified for option '-buffersize'.}}}
test walkthrough-3 {the result of stopping} -body {
    list [dict keys $stopped] [dict get $stopped trace_name] [dict get $stopped events_lost]
} -result [list [etw_trace_properties] MyHttpTrace 0]
tcltest::cleanupTests
