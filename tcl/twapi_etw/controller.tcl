# Sessions and their providers.

namespace eval ::twapi::tracewell {
    # The properties of a session, in the order of the native commands.
    variable property_names {
        logfile trace_name trace_guid buffer_size min_buffers max_buffers max_file_size logfile_mode flush_timer
        enable_flags clock_resolution age_limit buffer_count free_buffers events_lost buffers_written
        log_buffers_lost real_time_buffers_lost logger_tid
    }
    variable kernel_logger "NT Kernel Logger"
    variable clocks {qpc 1 system 2 cpucycle 3}
    # Classes of kernel events. What one needs besides its own bit is in its number.
    variable kernel_classes {
        process 0x1 thread 0x2 imageload 0x4 processcounter 0x8 contextswitch 0x10 dpc 0x20 interrupt 0x40
        systemcall 0x80 diskio 0x500 diskfileio 0x700 diskioinit 0x400 dispatcher 0x800 pagefault 0x1000
        hardfault 0x2000 virtualalloc 0x4000 vamap 0x8000 tcpip 0x10000 registry 0x20000 dbgprint 0x40000
        alpc 0x100000 splitio 0x200000 driver 0x800000 profile 0x1000000 fileio 0x2000000
        fileioinit 0x4000000 sysconfig 0
    }
    variable no_sysconfig 0x10000000
}

# How to run the session daemon when a session is started and there is none: as the user says, else the program beside
# the library or on the path, else this interpreter.
proc ::twapi::tracewell::find_daemon {} {
    variable library
    if {[info exists ::env(TRACEWELL_DAEMON)] && $::env(TRACEWELL_DAEMON) ne ""} {
        return [list $::env(TRACEWELL_DAEMON) %p]
    }
    set beside [file dirname $library]
    # The second has no events of the kernel.
    foreach {name arguments} {etw {daemon run} tracewelld {}} {
        foreach program [list [file join $beside $name] [lindex [auto_execok $name] 0]] {
            if {$program ne "" && [file isfile $program] && [file executable $program]} {
                return [list $program {*}$arguments %p]
            }
        }
    }
    variable folder
    list [info nameofexecutable] [file join $folder daemon.tcl] $library %p
}

namespace eval ::twapi::tracewell {
    variable folder [file dirname [file normalize [info script]]]
    daemon [find_daemon]
}

# The properties as a dictionary. As in TWAPI, the clock is a word in the result of a query, and a number elsewhere.
# A session of the kernel also has the requested classes that are not delivered on this system, and every session has the
# enabled providers of Windows that log nothing here.
proc ::twapi::tracewell::properties {values {symbolic 0}} {
    variable property_names
    variable clocks
    variable kernel_logger
    set result [::twapi::twine $property_names $values]
    if {[string equal -nocase [dict get $result trace_name] $kernel_logger]} {
        dict set result undelivered_classes [undelivered [dict get $result enable_flags]]
    }
    # The key is there when there is something to say, so that other sessions answer as TWAPI's do.
    set silent [undelivered_providers [dict get $result trace_name]]
    if {[llength $silent]} {
        dict set result undelivered_providers $silent
    }
    if {$symbolic} {
        set number [dict get $result clock_resolution]
        foreach {name known} $clocks {
            if {$known == $number} {
                dict set result clock_resolution $name
            }
        }
    }
    return $result
}

# Names of the kernel classes in a mask whose events this system does not deliver.
proc ::twapi::tracewell::undelivered {flags} {
    variable kernel_classes
    set offered [offered]
    set result {}
    dict for {name mask} $kernel_classes {
        if {$mask && ($flags & $mask) == $mask && ($mask & ~$offered)} {
            lappend result $name
        }
    }
    # This class has no bit, only one that excludes it. Only Windows has it.
    variable no_sysconfig
    if {!($flags & $no_sysconfig) && $::tcl_platform(platform) ne "windows"} {
        lappend result sysconfig
    }
    return $result
}

proc ::twapi::tracewell::native_path {path} {
    expr {$path eq "" ? "" : [file nativename [file normalize $path]]}
}

proc ::twapi::etw_start_trace {name args} {
    variable tracewell::clocks
    parseargs args [list \
        traceguid.arg logfile.arg {buffersize.int 0} {minbuffers.int 0} {maxbuffers.int 0} maxfilesize.int \
        {flushtimer.int 0} {enableflags.int 0} \
        {filemode.arg circular {sequential append rotate circular}} \
        [list clockresolution.sym system $clocks] \
        {sequence.sym none {none 0 local 0x8000 global 0x4000}} \
        {private.bool 0 0x800} {realtime.bool 0 0x100} {secure.bool 0 0x80} {privateinproc.bool 0 0x20800} \
        {paged.bool 0 0x01000000} {preallocate.bool 0 0x20}] -maxleftover 0 -setvars

    set kernel [string equal -nocase $name $tracewell::kernel_logger]
    if {!$realtime && (![info exists logfile] || $logfile eq "")} {
        badargs! "Log file name must be specified if real time mode is not in effect."
    }
    if {$kernel && $filemode eq "rotate"} {
        error "Option -filemode cannot have value \"rotate\" for NT Kernel Logger"
    }
    if {$filemode eq "append" && ($private || $privateinproc || $realtime)} {
        badargs! "Option -filemode cannot be \"append\" with -private, -privateinproc or -realtime."
    }
    if {$realtime && ($private || $privateinproc)} {
        badargs! "Option -realtime cannot be used with -private or -privateinproc."
    }
    if {$filemode eq "append" && $clockresolution != 2} {
        error "Option -clockresolution must be \"system\" if -filemode is \"append\"."
    }
    if {![info exists maxfilesize]} {
        set maxfilesize [expr {$filemode in {circular rotate} ? 1 : 0}]
    }
    if {($filemode eq "rotate" || $preallocate) && $maxfilesize == 0} {
        error "Option -maxfilesize must not be 0 if -filemode is \"rotate\" or -preallocate is true."
    }
    switch -exact -- $filemode {
        sequential {set mode [expr {$maxfilesize ? 1 : 0}]}
        circular {set mode 2}
        append {set mode 4}
        rotate {set mode 8}
    }
    foreach bits [list $sequence $private $realtime $secure $privateinproc $paged $preallocate] {
        set mode [expr {$mode | $bits}]
    }
    set path [expr {[info exists logfile] ? [tracewell::native_path $logfile] : ""}]
    if {$path eq ""} {
        # A session without a file has no mode of one.
        set mode [expr {$mode & ~0xf}]
        set maxfilesize 0
    }
    set guid [expr {[info exists traceguid] ? $traceguid : ""}]
    tracewell::start $name $guid $path $buffersize $minbuffers $maxbuffers $maxfilesize $mode \
        $flushtimer $enableflags $clockresolution
}

proc ::twapi::etw_start_kernel_trace {classes args} {
    variable tracewell::kernel_classes
    set flags 0
    foreach class $classes {
        if {![dict exists $kernel_classes $class]} {
            badargs! "Unknown kernel event class \"$class\". Must be one of [join [dict keys $kernel_classes] {, }]."
        }
        set flags [expr {$flags | [dict get $kernel_classes $class]}]
    }
    if {"sysconfig" ni $classes} {
        set flags [expr {$flags | $tracewell::no_sysconfig}]
    }
    etw_start_trace $tracewell::kernel_logger -enableflags $flags {*}$args -paged 0
}

proc ::twapi::etw_control_trace {action trace args} {
    if {$action ni {query stop update flush}} {
        badargs! "Invalid value \"$action\". Must be one of query, stop, update, flush."
    }
    set changes {}
    if {$action eq "update"} {
        parseargs args {
            traceguid.arg logfile.arg flushtimer.int maxbuffers.int enableflags.int {realtime.bool 0}
        } -maxleftover 0 -setvars
        if {[info exists logfile]} {
            set logfile [tracewell::native_path $logfile]
        }
        foreach name {logfile flushtimer maxbuffers enableflags realtime} {
            lappend changes [expr {[info exists $name] ? [set $name] : ""}]
        }
    } else {
        parseargs args {} -maxleftover 0
    }
    tracewell::properties [tracewell::control $action $trace {*}$changes] [expr {$action eq "query"}]
}

proc ::twapi::etw_query_trace {trace} {etw_control_trace query $trace}
proc ::twapi::etw_stop_trace {trace} {etw_control_trace stop $trace}
proc ::twapi::etw_flush_trace {trace} {etw_control_trace flush $trace}
proc ::twapi::etw_update_trace {trace args} {etw_control_trace update $trace {*}$args}

proc ::twapi::etw_get_traces args {
    parseargs args {detail} -maxleftover 0 -setvars
    set all [tracewell::traces]
    if {$detail} {
        return [lmap values $all {tracewell::properties $values}]
    }
    return [lmap values $all {lindex $values 1}]
}

proc ::twapi::etw_enable_provider {trace provider flags level} {
    tracewell::enable $trace $provider $flags $level
}

proc ::twapi::etw_disable_provider {trace provider} {
    tracewell::disable $trace $provider
}

proc ::twapi::etw_get_provider_guid {name} {
    tracewell::provider_guid $name
}

proc ::twapi::etw_get_providers args {
    parseargs args {detail {types.arg {mof xml}}} -maxleftover 0 -setvars
    set result {}
    foreach provider [tracewell::providers] {
        lassign $provider guid type name
        if {$type in $types} {
            lappend result [expr {$detail ? [list guid $guid type $type name $name] : $name}]
        }
    }
    return $result
}

proc ::twapi::etw_twapi_provider_name {} {return TwapiETWProvider}
proc ::twapi::etw_twapi_provider_guid {} {return "{B358E9D9-4D82-4A82-A129-BAC098C54746}"}
proc ::twapi::etw_twapi_eventclass_name {} {return TwapiETWEventClass}
proc ::twapi::etw_twapi_eventclass_guid {} {return "{D5B52E95-8447-40C1-B316-539894449B36}"}
