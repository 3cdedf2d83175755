"""Reads a trace by Perfetto's published messages: python3 perfetto.py VIEWERS FILE

Prints what it holds, one count a line. Fails on fields that the messages do not have, and on numbers that
refer to nothing.
"""
import collections
import sys

viewers, path = sys.argv[1:]
sys.path.insert(0, viewers + "/py")
from google.protobuf.unknown_fields import UnknownFieldSet
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace


def unknown(message):
    if len(UnknownFieldSet(message)):
        return True
    for field, value in message.ListFields():
        if field.type != field.TYPE_MESSAGE:
            continue
        repeated = hasattr(value, "add")
        if any(unknown(one) for one in (value if repeated else [value])):
            return True
    return False


with open(path, "rb") as file:
    trace = Trace.FromString(file.read())
counts = collections.Counter()
frames, functions, mappings, stacks, names, notes, texts, tracks = (set() for _ in range(8))
for packet in trace.packet:
    assert not unknown(packet), packet
    data = packet.interned_data
    functions |= {entry.iid for entry in data.function_names}
    names |= {entry.iid for entry in data.event_names}
    notes |= {entry.iid for entry in data.debug_annotation_names}
    texts |= {entry.iid for entry in data.debug_annotation_string_values}
    mappings |= {entry.iid for entry in data.mappings}
    for frame in data.frames:
        assert frame.function_name_id in functions and frame.mapping_id in mappings, frame
        frames.add(frame.iid)
    for stack in data.callstacks:
        assert set(stack.frame_ids) <= frames, stack
        stacks.add(stack.iid)
    kind = packet.WhichOneof("data")
    if kind == "track_descriptor":
        tracks.add(packet.track_descriptor.uuid)
    elif kind == "perf_sample":
        assert packet.perf_sample.callstack_iid in stacks
        counts["samples"] += 1
    elif kind == "etw_events":
        for event in packet.etw_events.event:
            counts["switches" if event.HasField("c_switch") else "ready"] += 1
    elif kind == "track_event":
        event = packet.track_event
        assert event.track_uuid in tracks
        assert not event.name_iid or event.name_iid in names
        assert all(note.name_iid in notes for note in event.debug_annotations if note.name_iid)
        assert all(note.string_value_iid in texts for note in event.debug_annotations if note.string_value_iid)
        counts[{1: "begins", 2: "ends", 3: "marks"}[event.type]] += 1
    elif kind == "process_tree":
        counts["processes"] += len(packet.process_tree.processes)
        counts["threads"] += len(packet.process_tree.threads)
for name in sorted(counts):
    print(name, counts[name])
