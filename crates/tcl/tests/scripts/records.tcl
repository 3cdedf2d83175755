source [file join [file dirname [info script]] support.tcl]

test time-1 {there and back} -body {
    set t [timelist_to_large_system_time {2014 4 4 17 41 34 123}]
    list $t [large_system_time_to_timelist $t] [large_system_time_to_secs_since_1970 $t] \
        [large_system_time_to_secs $t 1] [secs_since_1970_to_large_system_time 0]
} -result {130411068941230000 {2014 4 4 17 41 34 123 5} 1396633294 1396633294.1230000 116444736000000000}
test time-2 {now} -body {
    set before [clock seconds]
    set now [large_system_time_to_secs [get_system_time]]
    expr {$now >= $before - 1 && $now <= [clock seconds] + 1}
} -result 1

test trap-1 {the first handler that fits} -body {
    trap {error message {} {TWAPI_WIN32 5 denied}} onerror {TWAPI_WIN32 2} {list no} \
        onerror {TWAPI_WIN32 0x5} {list yes [trapresult]} onerror {} {list all}
} -result {yes message}
test trap-2 {no handler fits; finally runs} -body {
    set ran 0
    list [failure {trap {error message {} {A 1}} onerror {A 2} {list no} finally {set ran 1}}] $ran
} -result {{{A 1} message} 1}
test trap-3 {rethrow} -body {
    failure {trap {error message {} {A 1 x}} onerror {} {rethrow}}
} -result {{A 1} message}
test trap-4 {break goes through} -body {
    while 1 {trap {break}}
    list done
} -result done

test record-1 {an accessor} -body {
    record point {x y}
    set p {3 4}
    list [point] [point $p] [point y $p] [point get $p x] [point set $p x 5] [point select $p {y x}] \
        [failure {point {1 2 3}}]
} -result {{x y} {x 3 y 4} 4 3 {5 4} {4 3} {{TWAPI 22} {Number of fields (2) does not match the length of the record (3).}}}

test message-1 {inserts} -body {
    list [etw_format_event_message "%1 and %2!s! of %1%n%%%t%9|%0%x" {a {1 2} b {{x y}}}] \
        [etw_format_event_message "" {a 1}] [etw_format_event_message "%1 %2" "odd"] \
        [etw_format_event_message "50%" {}]
} -result [list "1, 2 and x y of 1, 2\n%\t|x" {} {%1 %2} 50%]

test names-1 {all ways to say a name} -body {
    namespace eval one {namespace path ::twapi; proc p {} {etw_twapi_provider_name}}
    namespace eval two {namespace import ::twapi::*; proc p {} {etw_twapi_eventclass_guid}}
    namespace eval three {::twapi::import_commands; proc p {} {etw_twapi_eventclass_name}}
    list [one::p] [two::p] [three::p]
} -result {TwapiETWProvider {{D5B52E95-8447-40C1-B316-539894449B36}} TwapiETWEventClass}
test names-2 {several interpreters} -body {
    set other [interp create]
    $other eval [list set auto_path $auto_path]
    $other eval {package require twapi_etw}
    set result [list [$other eval {twapi::etw_twapi_provider_register}] [etw_twapi_provider_register]]
    interp delete $other
    etw_twapi_provider_register
    expr {[lindex $result 0] == [lindex $result 1]}
} -result 1
test names-3 {a safe interpreter cannot have it} -body {
    set safe [interp create -safe]
    interp share {} stdout $safe
    set library $::twapi::tracewell::library
    set result [catch {$safe invokehidden load $library Twapi_etw}]
    interp delete $safe
    set result
} -result 1 -cleanup {}
tcltest::cleanupTests
