# The package twapi_etw: event tracing with TWAPI's commands, on any system.
#
# The native library lies in this folder when the package is installed, and in the build folder of the source tree
# when it is not.
if {![package vsatisfies [package provide Tcl] 8.6-]} {return}
package ifneeded twapi_etw 5.2.0 [list apply {dir {
    set name libtwapi_etw[info sharedlibextension]
    if {$::tcl_platform(platform) eq "windows"} {set name twapi_etw[info sharedlibextension]}
    set places [list $dir]
    foreach kind {release debug} {
        lappend places [file join [file dirname [file dirname $dir]] target $kind]
    }
    # Of the libraries of a source tree, the one built last is meant.
    set found {}
    foreach place $places {
        set file [file join $place $name]
        if {[file exists $file]} {
            if {$place eq $dir} {set found [list [list Inf $file]]; break}
            lappend found [list [file mtime $file] $file]
        }
    }
    if {![llength $found]} {
        error "cannot find $name in [join $places {, }]: build it with \"cargo build -p tracewell-tcl\""
    }
    set library [lindex [lsort -real -index 0 $found] end 1]
    load $library Twapi_etw
    namespace eval ::twapi::tracewell [list variable library $library]
    foreach part {base parseargs recordarray controller consumer} {
        uplevel #0 [list source -encoding utf-8 [file join $dir $part.tcl]]
    }
    package provide twapi_etw 5.2.0
}} $dir]

# The other names a script may ask for. On Windows they are TWAPI's own.
if {$::tcl_platform(platform) ne "windows"} {
    foreach name {twapi_base twapi} {
        package ifneeded $name 5.2.0 "package require twapi_etw; package provide $name 5.2.0"
    }
}
