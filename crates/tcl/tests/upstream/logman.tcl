# logman query providers: name, blanks, GUID
package require twapi_etw
foreach provider [twapi::etw_get_providers -detail] {
    puts [format "%-50s %s" [dict get $provider name] [dict get $provider guid]]
}
