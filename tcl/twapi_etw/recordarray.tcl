# Record arrays: a list of field names and a list of records, each a list of values. A record of an event is made when a script
# takes it apart, and then stays as large as it is. So everything here reads records by ::twapi::tracewell::cell and row, which
# leave them as they are.

namespace eval ::twapi::recordarray {
    namespace export cell column concat fields get getdict getlist index iterate range rename size
    namespace ensemble create
}

# Place of a field among the names.
proc ::twapi::recordarray::place {names field} {
    set at [lsearch -exact $names $field]
    if {$at < 0} {
        return -code error -level 2 -errorcode [list TWAPI 1 "Invalid enum \"$field\""] "Invalid enum \"$field\""
    }
    return $at
}

# Options that several subcommands share, as a dictionary; names other than those allowed are refused.
proc ::twapi::recordarray::options {allowed words} {
    set result {}
    for {set at 0} {$at < [llength $words]} {incr at} {
        set option [lindex $words $at]
        if {$option ni $allowed} {
            return -code error -level 2 -errorcode {TWAPI 1} \
                "Invalid option \"$option\". Must be one of [join $allowed {, }]."
        }
        if {$option eq "-first"} {
            dict set result -first 1
            continue
        }
        if {$at + 1 >= [llength $words]} {
            return -code error -level 2 -errorcode {TWAPI 1} "No value supplied for option \"$option\"."
        }
        dict set result $option [lindex $words [incr at]]
    }
    return $result
}

# Conditions as lists: place, operator, value and the options of a string comparison.
proc ::twapi::recordarray::conditions {names filters} {
    set result {}
    foreach filter $filters {
        lassign $filter field operator value option
        if {[llength $filter] < 3 || [llength $filter] > 4} {
            return -code error -errorcode {TWAPI 1} "Invalid filter \"$filter\": must be {FIELD OPERATOR VALUE ?-nocase?}."
        }
        if {$operator ni {eq ne ~ !~ == != < <= > >=}} {
            return -code error -errorcode {TWAPI 1} "Invalid enum \"$operator\""
        }
        if {[llength $filter] == 4 && $option ne "-nocase"} {
            return -code error -errorcode {TWAPI 1} "Invalid option \"$option\". Must be -nocase."
        }
        lappend result [list [place $names $field] $operator $value [lrange $filter 3 end]]
    }
    return $result
}

proc ::twapi::recordarray::passes {record conditions} {
    foreach condition $conditions {
        lassign $condition at operator value options
        set cell [::twapi::tracewell::cell $record $at]
        switch -exact -- $operator {
            eq {set ok [string equal {*}$options $cell $value]}
            ne {set ok [expr {![string equal {*}$options $cell $value]}]}
            ~ {set ok [string match {*}$options $value $cell]}
            !~ {set ok [expr {![string match {*}$options $value $cell]}]}
            default {
                # What is no integer matches nothing.
                set ok [expr {[string is entier -strict $cell] && [string is entier -strict $value]
                    && [::tcl::mathop::$operator $cell $value]}]
            }
        }
        if {!$ok} {
            return 0
        }
    }
    return 1
}

# What the options ask for: the names of the fields, all records, the conditions, and the places of a slice; {} for no slice.
proc ::twapi::recordarray::plan {array options} {
    if {![llength $array]} {
        return {{} {} {} {}}
    }
    lassign $array names records
    set conditions {}
    if {[dict exists $options -filter]} {
        set conditions [conditions $names [dict get $options -filter]]
    }
    set places {}
    if {[dict exists $options -slice]} {
        foreach field [dict get $options -slice] {
            lappend places [place $names $field]
        }
        set names [lmap at $places {lindex $names $at}]
    }
    list $names $records $conditions [expr {[dict exists $options -slice] ? [list $places] : {}}]
}

# The values of a record that a plan asks for.
proc ::twapi::recordarray::sliced {record places} {
    if {![llength $places]} {
        return [::twapi::tracewell::row $record]
    }
    lmap at [lindex $places 0] {::twapi::tracewell::cell $record $at}
}

# The records that the options ask for, cut to their slice, and the names of their fields. Keys of a dictionary come from the whole
# records, which are third.
proc ::twapi::recordarray::select {array options} {
    lassign [plan $array $options] names records conditions places
    set first [dict exists $options -first]
    if {[llength $conditions] || $first} {
        set kept {}
        foreach record $records {
            if {[passes $record $conditions]} {
                lappend kept $record
                if {$first} break
            }
        }
        set records $kept
    }
    if {![llength $places]} {
        return [list $names $records $records]
    }
    list $names [lmap record $records {sliced $record $places}] $records
}

proc ::twapi::recordarray::format_of {options allowed} {
    if {![dict exists $options -format]} {
        return list
    }
    set format [dict get $options -format]
    if {$format ni $allowed} {
        return -code error -level 2 -errorcode {TWAPI 1} \
            "Invalid value '$format' specified for option '-format'."
    }
    return $format
}

proc ::twapi::recordarray::size {array} {
    llength [lindex $array 1]
}

proc ::twapi::recordarray::fields {array} {
    lindex $array 0
}

proc ::twapi::recordarray::index {array row args} {
    set options [options {-format -slice} $args]
    set format [format_of $options {list dict}]
    set record [lindex $array 1 $row]
    if {![llength [::twapi::tracewell::row $record]]} {
        return {}
    }
    lassign [select [list [lindex $array 0] [list $record]] $options] names records
    if {$format eq "dict"} {
        return [::twapi::twine $names [::twapi::tracewell::row [lindex $records 0]]]
    }
    lindex $records 0
}

proc ::twapi::recordarray::cell {array row field} {
    ::twapi::tracewell::cell [lindex $array 1 $row] [place [lindex $array 0] $field]
}

proc ::twapi::recordarray::column {array field args} {
    set options [options {-filter} $args]
    set at [place [lindex $array 0] $field]
    lmap record [lindex [select $array $options] 1] {::twapi::tracewell::cell $record $at}
}

proc ::twapi::recordarray::get {array args} {
    lrange [select $array [options {-filter -slice -first} $args]] 0 1
}

proc ::twapi::recordarray::getlist {array args} {
    if {![llength $args]} {
        return [lindex $array 1]
    }
    set options [options {-filter -slice -first -format} $args]
    set format [format_of $options {list dict flat}]
    lassign [select $array $options] names records
    switch -exact -- $format {
        flat {return [::concat {*}[lmap record $records {::twapi::tracewell::row $record}]]}
        dict {return [lmap record $records {::twapi::twine $names [::twapi::tracewell::row $record]}]}
    }
    return $records
}

proc ::twapi::recordarray::getdict {array args} {
    set options [options {-filter -slice -first -format -key} $args]
    set format [format_of $options {list dict}]
    if {![llength $array]} {
        return {}
    }
    set at 0
    if {[dict exists $options -key]} {
        set at [place [lindex $array 0] [dict get $options -key]]
    }
    lassign [select $array $options] names records whole
    set result {}
    foreach record $records from $whole {
        set key [::twapi::tracewell::cell $from $at]
        if {$format eq "dict"} {
            set record [::twapi::twine $names [::twapi::tracewell::row $record]]
        }
        dict set result $key $record
    }
    return $result
}

proc ::twapi::recordarray::iterate {varname array args} {
    if {![llength $args]} {
        return -code error -errorcode {TCL WRONGARGS} \
            "wrong # args: should be \"recordarray iterate VAR RECORDARRAY ?options? BODY\""
    }
    set options [options {-filter -slice -first} [lrange $args 0 end-1]]
    lassign [plan $array $options] names records conditions places
    upvar 1 $varname row
    # One record at a time, so that no other one is made.
    foreach record $records {
        if {![passes $record $conditions]} continue
        foreach name $names value [sliced $record $places] {
            set row($name) $value
        }
        set code [catch {uplevel 1 [lindex $args end]} result returned]
        # A list that the body appends to, and returns, would be copied by the next body if it were kept here.
        switch -exact -- $code {
            0 - 4 {set result {}}
            3 {break}
            default {
                dict incr returned -level
                return -options $returned $result
            }
        }
        if {[dict exists $options -first]} break
    }
    return
}

proc ::twapi::recordarray::range {array low high} {
    list [lindex $array 0] [lrange [lindex $array 1] $low $high]
}

proc ::twapi::recordarray::rename {array map} {
    set names [lmap name [lindex $array 0] {
        expr {[dict exists $map $name] ? [dict get $map $name] : $name}
    }]
    list $names [lindex $array 1]
}

proc ::twapi::recordarray::concat args {
    if {![llength $args]} {
        return {}
    }
    set names [lindex $args 0 0]
    set records {}
    foreach array $args {
        if {[lindex $array 0] ne $names} {
            ::twapi::badargs! "Attempt to concat record arrays with different fields\
                ([join $names ,] versus [join [lindex $array 0] ,])"
        }
        lappend records [lindex $array 1]
    }
    list $names [::concat {*}$records]
}

# Defines a command for records of these fields: record ?NAME? FIELDS
proc ::twapi::record args {
    variable tracewell::records
    switch -exact -- [llength $args] {
        1 {
            set name ::twapi::record[incr records]
            set fields [lindex $args 0]
        }
        2 {
            lassign $args name fields
            if {[string range $name 0 1] ne "::"} {
                set space [uplevel 1 {namespace current}]
                set name [expr {$space eq "::" ? "::$name" : "${space}::$name"}]
            }
        }
        default {
            return -code error -errorcode {TCL WRONGARGS} "wrong # args: should be \"record ?NAME? FIELDS\""
        }
    }
    interp alias {} $name {} ::twapi::tracewell::accessor [list {*}$fields]
    return $name
}

namespace eval ::twapi::tracewell {
    variable records 0
    variable trapped {}
}

proc ::twapi::tracewell::accessor {fields args} {
    switch -exact -- [llength $args] {
        0 {return $fields}
        1 {
            set record [row [lindex $args 0]]
            if {[llength $record] != [llength $fields]} {
                return -code error -errorcode {TWAPI 22} \
                    "Number of fields ([llength $fields]) does not match the length of the record ([llength $record])."
            }
            return [::twapi::twine $fields $record]
        }
        2 {
            lassign $args field record
            return [cell $record [::twapi::recordarray::place $fields $field]]
        }
    }
    set rest [lassign $args action record]
    set record [row $record]
    switch -exact -- $action {
        get {return [lindex $record [::twapi::recordarray::place $fields [lindex $rest 0]]]}
        set {
            foreach {field value} $rest {
                lset record [::twapi::recordarray::place $fields $field] $value
            }
            return $record
        }
        select {
            return [lmap field [lindex $rest 0] {lindex $record [::twapi::recordarray::place $fields $field]}]
        }
    }
    return -code error -errorcode {TWAPI 1} "Invalid subcommand \"$action\". Must be get, set or select."
}
