# Reading events, as they are and dumped.

namespace eval ::twapi {
    record ::twapi::etw_event [tracewell::fields]
    record ::twapi::etw_event_trace_logfile {
        logfile logger_name current_time buffers_read trace_logfile_header buffer_size filled kernel_trace
    }
    record ::twapi::etw_trace_logfile_header {
        buffer_size version_major version_minor version_submajor version_subminor provider_version
        processor_count end_time timer_resolution max_file_size logfile_mode buffers_written pointer_size
        events_lost cpu_mhz time_zone boot_time perf_frequency start_time reserved_flags buffers_lost
    }
    record ::twapi::etw_trace_properties $tracewell::property_names
    # Events of the old kind as EVENT_TRACE has them, for scripts that keep such.
    record ::twapi::mof_event {header instance_id parent_instance_id parent_guid data}
    record ::twapi::mof_event_header {type level version tid pid timestamp guid kernel_time user_time processor_time}
    record ::twapi::tdh_event {header buffer_context extended_data data}
    record ::twapi::tdh_event_header {
        flags event_property tid pid timestamp kernel_time user_time processor_time activity_id descriptor
        provider_guid
    }
    record ::twapi::tdh_event_buffer_context {processor logger_id}
    record ::twapi::tdh_event_data {
        provider_guid event_guid decoder provider_name level_name channel_name keyword_names task_name
        opcode_name message localized_provider_name activity_id related_activity_id properties flags
    }
}

proc ::twapi::etw_open_file {path} {
    tracewell::open_file [tracewell::native_path $path]
}

# Reads traces to their end. With -background (which TWAPI does not have) it returns at once, and the event loop gives
# each buffer to the callback as it comes, until the file or session ends or is closed.
proc ::twapi::etw_process_events args {
    parseargs args {callback.arg start.arg end.arg {background.bool 0}} -nulldefault -setvars
    if {![llength $args]} {
        error "At least one trace handle must be specified."
    }
    foreach name {start end} {
        if {[set $name] ne "" && ![string is wide -strict [set $name]]} {
            badargs! "Non-integer value '[set $name]' specified for option '-$name'."
        }
    }
    if {$background} {
        if {$callback eq ""} {
            badargs! "Option -callback must be given with -background."
        }
        return [tracewell::read_on $callback $start $end {*}$args]
    }
    set result [tracewell::process $callback $start $end {*}$args]
    expr {$callback eq "" ? $result : ""}
}

# TWAPI reads the classes of WMI's registry by these. There is none here: descriptions are given as files.
foreach name {
    etw_parse_mof_event_class etw_find_mof_event_classes etw_get_all_mof_event_classes etw_load_mof_event_class
    etw_load_mof_event_classes etw_load_mof_event_class_obj
} {
    proc ::twapi::$name args {
        win32_error 50 "This system has no WMI: use etw_load_descriptions with MOF texts, manifests or programs."
    }
}

# A source for a dump: a file when there is one, else a session.
proc ::twapi::tracewell::source_of {name} {
    if {[file exists $name]} {
        return [list file [native_path $name]]
    }
    return [list session $name]
}

proc ::twapi::etw_dump_to_file args {
    parseargs args {
        {output.arg stdout} {limit.int -1} {format.arg csv {csv list}} {separator.arg ,}
        {fields.arg {-timecreated -levelname -providername -pid -taskname -opcodename -message}} {filter.arg {}}
    } -setvars
    if {$output in [chan names]} {
        set channel $output
        set opened 0
    } else {
        if {[file exists $output]} {
            error "File $output already exists."
        }
        set channel [open $output a]
        set opened 1
    }
    try {
        set sources [lmap name $args {tracewell::source_of $name}]
        tracewell::dump $format $separator $channel $limit $fields $filter $sources
        flush $channel
    } finally {
        if {$opened} {
            close $channel
        }
    }
    return
}

proc ::twapi::tracewell::dump_sources {names} {
    if {![llength $names]} {
        ::twapi::badargs! "At least one log file or session must be given." 2
    }
    set sources [lmap name $names {source_of $name}]
    dump all {} {} -1 [fields] {} $sources
}

proc ::twapi::etw_dump_to_list args {
    tracewell::dump_sources $args
}

proc ::twapi::etw_dump args {
    list [tracewell::fields] [tracewell::dump_sources $args]
}
