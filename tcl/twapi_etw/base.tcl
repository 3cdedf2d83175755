# What other parts and ETW scripts need: errors, traps, times, names.

namespace eval ::twapi {
    # What TWAPI's errors are numbered by.
    namespace eval tracewell {
        variable error_codes {BADARGS 1 EXTRA_ARGS 3 ARG_COUNT 4}
        # Ticks of 100 ns from 1601 to 1970.
        variable epoch 116444736000000000
    }
    namespace export {[a-z]*}
}

# Raises an error with TWAPI's own code: the number of KIND, and the message.
proc ::twapi::tracewell::fail {kind message} {
    variable error_codes
    return -code error -level 2 -errorcode [list TWAPI [dict get $error_codes $kind] $message] $message
}

proc ::twapi::badargs! {message {level 1}} {
    return -code error -level [expr {$level + 1}] -errorcode [list TWAPI BADARGS $message] $message
}

# Makes the commands known where the caller is.
proc ::twapi::import_commands {} {
    uplevel 1 [list namespace import -force ::twapi::*]
}

proc ::twapi::min_os_version {major {minor 0} {spmajor 0} {spminor 0}} {
    # The commands are those that Windows 10 has.
    expr {$major < 10 || ($major == 10 && $minor == 0)}
}

proc ::twapi::get_current_thread_id {} {
    # On Linux the first thread of a process has the number of the process.
    if {![catch {file readlink /proc/thread-self} link]} {
        return [file tail $link]
    }
    return [pid]
}

# --- Errors

proc ::twapi::map_windows_error {code} {
    set texts {
        0 {The operation completed successfully.}
        2 {The system cannot find the file specified.}
        3 {The system cannot find the path specified.}
        5 {Access is denied.}
        6 {The handle is invalid.}
        50 {The request is not supported.}
        87 {The parameter is incorrect.}
        161 {The specified path is invalid.}
        183 {Cannot create a file when that file already exists.}
        1392 {The file or directory is corrupted and unreadable.}
        1450 {Insufficient system resources exist to complete the requested service.}
        4201 {The instance name passed was not recognized as valid by a WMI data provider.}
    }
    if {[dict exists $texts $code]} {
        return [dict get $texts $code]
    }
    return "Windows error: $code"
}

proc ::twapi::win32_error {code {message ""}} {
    set text [map_windows_error $code]
    set all [expr {$message eq "" ? $text : "$message $text"}]
    return -code error -level 2 -errorcode [list TWAPI_WIN32 $code $text] $all
}

# Runs a script, and on an error the first handler whose pattern fits errorCode, word by word.
#   trap SCRIPT ?onerror {?FACILITY? ?CODE? ...} SCRIPT? ... ?finally SCRIPT?
proc ::twapi::trap {script args} {
    variable tracewell::trapped
    set finally {}
    set handlers {}
    for {set at 0} {$at < [llength $args]} {} {
        switch -exact -- [lindex $args $at] {
            onerror {
                if {$at + 2 >= [llength $args]} {badargs! "Missing script after onerror."}
                lappend handlers [lindex $args $at+1] [lindex $args $at+2]
                incr at 3
            }
            finally {
                if {$at + 2 != [llength $args]} {badargs! "finally must be last, with one script."}
                set finally [lindex $args $at+1]
                incr at 2
            }
            default {badargs! "Invalid trap clause \"[lindex $args $at]\". Must be onerror or finally."}
        }
    }
    set code [catch {uplevel 1 $script} result options]
    if {$code == 1} {
        set error [dict get $options -errorcode]
        foreach {pattern handler} $handlers {
            set fits 1
            foreach want $pattern have [lrange $error 0 [llength $pattern]-1] {
                if {$want ne $have && !([string is entier -strict $want] && [string is entier -strict $have]
                        && $want == $have)} {
                    set fits 0
                    break
                }
            }
            if {$fits} {
                lappend trapped [list $result $options]
                set code [catch {uplevel 1 $handler} result options]
                set trapped [lrange $trapped 0 end-1]
                break
            }
        }
    }
    if {$finally ne {}} {
        set last [catch {uplevel 1 $finally} other other_options]
        if {$last} {
            lassign [list $last $other $other_options] code result options
        }
    }
    dict incr options -level
    return -options $options $result
}

proc ::twapi::trapresult {} {
    variable tracewell::trapped
    lindex $trapped end 0
}

proc ::twapi::trapoptions {} {
    variable tracewell::trapped
    lindex $trapped end 1
}

proc ::twapi::rethrow {} {
    variable tracewell::trapped
    lassign [lindex $trapped end] result options
    dict incr options -level
    return -options $options $result
}

# --- Lists and lambdas

# A dictionary of two lists: keys and values.
proc ::twapi::twine {keys values} {
    set result {}
    foreach key $keys value $values {
        lappend result $key $value
    }
    return $result
}

proc ::twapi::lconcat args {
    concat {*}$args
}

# A command prefix of an anonymous procedure, in the namespace of the caller.
proc ::twapi::lambda {arguments body {namespace ""}} {
    if {$namespace eq ""} {
        set namespace [uplevel 1 {namespace current}]
    }
    list ::apply [list $arguments $body $namespace]
}

# --- Times. A large system time counts 100 ns since 1601, as a FILETIME does.

proc ::twapi::get_system_time {} {
    variable tracewell::epoch
    expr {[clock microseconds] * 10 + $epoch}
}

proc ::twapi::large_system_time_to_secs_since_1970 {time {fraction false}} {
    variable tracewell::epoch
    set ticks [expr {$time - $epoch}]
    # Tcl divides towards minus infinity, so the remainder is never negative.
    set seconds [expr {$ticks / 10000000}]
    if {$fraction} {
        return $seconds.[format %07d [expr {$ticks % 10000000}]]
    }
    return $seconds
}

proc ::twapi::large_system_time_to_secs {time {fraction false}} {
    large_system_time_to_secs_since_1970 $time $fraction
}

proc ::twapi::secs_since_1970_to_large_system_time {seconds} {
    variable tracewell::epoch
    expr {$seconds * 10000000 + $epoch}
}

# Year, month, day, hour, minute, second, millisecond and day of the week, in UTC.
proc ::twapi::large_system_time_to_timelist {time} {
    variable tracewell::epoch
    set ticks [expr {$time - $epoch}]
    set parts {}
    foreach part [clock format [expr {$ticks / 10000000}] -gmt 1 -format "%Y %m %d %H %M %S"] {
        lappend parts [scan $part %d]
    }
    lappend parts [expr {$ticks % 10000000 / 10000}]
    lappend parts [clock format [expr {$ticks / 10000000}] -gmt 1 -format %w]
}

proc ::twapi::timelist_to_large_system_time {parts} {
    if {[llength $parts] < 3 || [llength $parts] > 8} {
        badargs! "A time must be a list of year, month, day, and up to five more numbers."
    }
    foreach name {year month day hour minute second milli} part $parts {
        if {$name eq ""} break
        set $name [expr {$part eq "" ? 0 : [scan $part %d]}]
    }
    set text [format "%04d-%02d-%02d %02d:%02d:%02d" $year $month $day $hour $minute $second]
    set seconds [clock scan $text -gmt 1 -format "%Y-%m-%d %H:%M:%S"]
    expr {[secs_since_1970_to_large_system_time $seconds] + $milli * 10000}
}
