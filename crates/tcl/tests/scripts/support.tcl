# What the test scripts share.
package require tcltest
namespace import tcltest::test
package require twapi_etw
namespace path twapi

# The code and the message of what a script raises; the code as its first two words.
proc failure {script} {
    set code [catch {uplevel 1 $script} message options]
    if {!$code} {
        return "no error: $message"
    }
    list [lrange [dict get $options -errorcode] 0 1] $message
}

# A file of TWAPI's events: the script runs while a session listens.
proc traced {file script args} {
    set provider [etw_twapi_provider_register]
    set trace [etw_start_trace "test [clock microseconds]" -logfile $file -filemode sequential {*}$args]
    etw_enable_provider $trace [etw_twapi_provider_guid] -1 5
    uplevel 1 [list set provider $provider]
    uplevel 1 [list set trace $trace]
    uplevel 1 $script
    etw_stop_trace $trace
}

# Runs the event loop until a condition holds; whether it came to hold. A machine may be slow: the bound is for what has
# gone wrong.
proc until {condition} {
    set end [expr {[clock seconds] + 300}]
    while {![uplevel 1 [list expr $condition]]} {
        if {[clock seconds] > $end} {return 0}
        set ::step 0
        after 5 {set ::step 1}
        vwait ::step
    }
    return 1
}

# The properties of TWAPI's events in a file.
proc own_properties {file} {
    recordarray column [etw_dump $file] -properties -filter {{-providername eq TwapiETWProvider}}
}
