# Runs a file of TWAPI's tests where there is no Windows: prelude.tcl FOLDER FILE ?TCLTEST OPTIONS?
#
# What it stands in for: variables of Windows' environment, `registry`, `socket` to a host of the internet, long file names, the
# other TWAPI packages, and the programs `tracerpt` and `logman`. Of base.test only the tests of record arrays are taken,
# because the rest of the file needs Windows accounts while it loads.

set here [file dirname [file normalize [info script]]]
set argv [lassign $argv folder test]
set work [pwd]
array set env [list COMPUTERNAME HOST LOGONSERVER {\\HOST} WINDIR $work USERNAME user]
set env(PATH) [file join $work bin]:$env(PATH)

package require twapi_etw
package require tcltest
package unknown [list apply {{next name args} {
    if {[string match twapi_* $name]} {
        package ifneeded $name 1 [list package provide $name 1]
    } else {
        {*}$next $name {*}$args
    }
}} [package unknown]]
namespace eval twapi {
    proc process_in_administrators {} {return 1}
    proc get_process_elevation args {return full}
}

rename file original_file
proc file {action args} {
    if {$action eq "attributes" && [lindex $args end] in {-longname -shortname}} {
        return [lindex $args 0]
    }
    uplevel 1 [list original_file $action {*}$args]
}
proc socket args {open /dev/null}
# The tests want a kernel trace with something in it. Until this system's kernel source delivers events, TWAPI's own
# provider fills it, so that there is something to compare with another program's reading.
proc registry args {
    set provider [twapi::etw_twapi_provider_register]
    foreach level {1 2 3 4 5} {
        twapi::etw_log_message $provider "a message, of \"level\" $level" $level
    }
}
trace add execution ::twapi::etw_start_kernel_trace leave {apply {{command code result operation} {
    if {$code == 0} {
        twapi::etw_twapi_provider_register
        twapi::etw_enable_provider $result [twapi::etw_twapi_provider_guid] -1 5
    }
}}}

# The two programs, as scripts for this interpreter.
original_file mkdir [original_file join $work bin]
foreach program {tracerpt logman} {
    set path [original_file join $work bin $program]
    set out [open $path w]
    puts $out "#!/bin/sh\nexec '[info nameofexecutable]' '[original_file join $here $program.tcl]' \"\$@\""
    close $out
    original_file attributes $path -permissions 0755
}

set source [original_file join $folder $test]
cd $folder
if {$test eq "base.test"} {
    set in [open $source]
    set text [read $in]
    close $in
    set first [string first "test recordarray-1.0" $text]
    set last [string last "####" $text [string first "test badargs-" $text]]
    eval tcltest::configure $argv
    namespace eval twapi::base::test {namespace import ::tcltest::test}
    namespace eval twapi::base::test [string range $text $first $last]
} else {
    tcltest::configure -tmpdir $work
    # The file takes itself to be the script that was started.
    proc start {} {
        uplevel #0 {
            info script $source
            set argv0 $source
            source $source
        }
    }
    start
}
tcltest::cleanupTests
