# Option parsing.

# Takes the options off the front of the list in the variable ARGSVAR. A specification is a list of option
# descriptors: NAME.TYPE ?DEFAULT? ?VALUES?, where the type is arg, int, bool, sym or switch (also when there is none). VALUES are
# those allowed; for a bool or switch the value that means true; for a sym its symbols with their values. Returns
# the options that were given or have defaults, by name, in the order of the specification.
#
#   -maxleftover N   how many words may follow the options
#   -ignoreunknown   leave options that are not in the specification where they are
#   -nulldefault     give every option a value: an empty text or 0
#   -hyphenated      names in the result begin with a hyphen
#   -setvars         set variables of the caller, and give back nothing
proc ::twapi::parseargs {argsvar specs args} {
    upvar 1 $argsvar words
    set leftover -1
    lassign {0 0 0 0} ignoreunknown nulldefault hyphenated setvars
    for {set at 0} {$at < [llength $args]} {incr at} {
        switch -exact -- [lindex $args $at] {
            -maxleftover {set leftover [lindex $args [incr at]]}
            -ignoreunknown {set ignoreunknown 1}
            -nulldefault {set nulldefault 1}
            -hyphenated {set hyphenated 1}
            -setvars {set setvars 1}
            default {tracewell::fail BADARGS "Invalid option '[lindex $args $at]' specified for parseargs."}
        }
    }

    set options [tracewell::option_specs $specs]
    set given {}
    set rest {}
    set count [llength $words]
    for {set at 0} {$at < $count} {incr at} {
        set word [lindex $words $at]
        if {[string index $word 0] ne "-"} break
        if {$word in {- --}} {
            incr at
            break
        }
        set name [string range $word 1 end]
        if {![dict exists $options $name]} {
            if {!$ignoreunknown} {
                set names [lmap known [dict keys $options] {string cat - $known}]
                tracewell::fail BADARGS "Invalid option '$word'. Must be one of [join $names {, }]"
            }
            lappend rest $word
            # The next word is treated as the value of the unknown option, unless it looks like an option.
            if {$at + 1 < $count && [string index [lindex $words $at+1] 0] ne "-"} {
                lappend rest [lindex $words [incr at]]
            }
            continue
        }
        lassign [dict get $options $name] type default values
        if {$type eq "switch"} {
            dict set given $name [expr {[llength $values] ? [lindex $values 0] : 1}]
            continue
        }
        if {$at + 1 >= $count} {
            tracewell::fail BADARGS "No value supplied for option '$word'"
        }
        set value [lindex $words [incr at]]
        set problem [tracewell::option_value $type $values value]
        if {$problem ne ""} {
            tracewell::fail BADARGS "$problem value '$value' specified for option '$word'."
        }
        dict set given $name $value
    }
    set rest [concat $rest [lrange $words $at end]]
    if {$leftover >= 0 && [llength $rest] > $leftover} {
        tracewell::fail EXTRA_ARGS "Command has extra arguments specified: $rest"
    }

    set result {}
    dict for {name option} $options {
        lassign $option type default values has_default
        if {[dict exists $given $name]} {
            set value [dict get $given $name]
        } elseif {$type eq "switch"} {
            set value 0
        } elseif {$has_default} {
            set value $default
            set problem [tracewell::option_value $type [expr {$type in {sym bool int} ? $values : {}}] value]
            if {$problem ne ""} {
                set value $default
            }
        } elseif {$nulldefault} {
            set value [expr {$type eq "arg" ? "" : 0}]
        } else {
            if {$setvars} {
                uplevel 1 [list unset -nocomplain $name]
            }
            continue
        }
        if {$setvars} {
            uplevel 1 [list set $name $value]
        } else {
            lappend result [expr {$hyphenated ? "-$name" : $name}] $value
        }
    }
    set words $rest
    return $result
}

# A specification as a dictionary: type, default, values, and whether there is a default.
proc ::twapi::tracewell::option_specs {specs} {
    set options {}
    foreach spec $specs {
        lassign $spec name default values
        set type switch
        set dot [string first . $name]
        if {$dot >= 0} {
            set type [string range $name $dot+1 end]
            set name [string range $name 0 $dot-1]
        }
        if {$name eq "" || $type ni {arg int bool sym switch}} {
            return -code error -level 2 "Badly formed option descriptor: '[lindex $spec 0]'"
        }
        dict set options $name [list $type $default $values [expr {[llength $spec] > 1}]]
    }
    return $options
}

# Checks a value and brings it to its usual form; gives the first word of the complaint, or nothing.
proc ::twapi::tracewell::option_value {type values var} {
    upvar 1 $var value
    switch -exact -- $type {
        int {
            if {![string is entier -strict $value]} {
                return Non-integer
            }
            set number [expr {$value + 0}]
            if {[llength $values] && $number ni $values && $value ni $values} {
                return Invalid
            }
            set value $number
        }
        bool {
            if {![string is boolean -strict $value] && ![string is entier -strict $value]} {
                return Non-boolean
            }
            set value [expr {$value ? ([llength $values] ? [lindex $values 0] : 1) : 0}]
        }
        sym {
            if {[dict exists $values $value]} {
                set value [dict get $values $value]
            } elseif {[string is entier -strict $value]} {
                set value [expr {$value + 0}]
            } else {
                return Invalid
            }
        }
        default {
            if {[llength $values] && $value ni $values} {
                return Invalid
            }
        }
    }
    return ""
}
