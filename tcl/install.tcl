# Installs the package twapi_etw: tclsh install.tcl FOLDER
#
# Copies the Tcl files and the library built last by `cargo build -p tracewell-tcl` (release or not) into a folder of the
# package's name under FOLDER, which should be on auto_path.
if {[llength $argv] != 1} {
    puts stderr "usage: tclsh install.tcl FOLDER"
    exit 2
}
set here [file dirname [file normalize [info script]]]
set name [expr {$tcl_platform(platform) eq "windows" ? "twapi_etw" : "libtwapi_etw"}][info sharedlibextension]
set built {}
foreach kind {release debug} {
    set file [file join [file dirname $here] target $kind $name]
    if {[file exists $file]} {
        lappend built [list [file mtime $file] $file]
    }
}
if {![llength $built]} {
    puts stderr "there is no $name yet: run \"cargo build --release -p tracewell-tcl\" first"
    exit 1
}
set library [lindex [lsort -integer -index 0 $built] end 1]
set target [file join [lindex $argv 0] twapi_etw]
file mkdir $target
foreach file [concat [list $library] [glob [file join $here twapi_etw *.tcl]]] {
    file copy -force $file $target
}
# The daemon, if it was built, too, so that sessions need no separate interpreter.
set daemon [file join [file dirname $library] tracewelld]
if {[file exists $daemon]} {
    file copy -force $daemon $target
}
puts "installed in $target"
