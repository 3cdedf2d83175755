#!/usr/bin/env -S dtrace -s
/*
 * gpu.d: what programs use the graphics processor for: frames per second, how long their packets wait in its queues, and
 * how long they run there.
 *
 *   dtrace gpu trace.etl
 *
 * Needs Microsoft-Windows-DxgKrnl (keywords Base and Present). Example:
 *
 *   PROGRAM            FRAMES   PACKETS  QUEUED us     RUN us
 *   game.exe              601      1802    4120331    3104112
 */
#pragma D option quiet
#pragma D option aggpack

self uint64_t frame, before;

/* A trace without the list of processes has their numbers only. */
inline string program = execname == "<unknown>" ? strjoin("pid ", lltostr(pid)) : execname;

BEGIN
{
	begun = timestamp;
}

/* Present. */
microsoft-windows-dxgkrnl:::event-184
{
	@frames[program] = count();
	@rate[program, (timestamp - begun) / 1000000000] = count();
	self->before = self->frame;
	self->frame = timestamp;
}

microsoft-windows-dxgkrnl:::event-184
/self->before/
{
	@apart[program] = quantize((timestamp - self->before) / 1000);
}

/* A packet enters the queue of a context, and is done with. */
microsoft-windows-dxgkrnl:::event-178
{
	queued[args->hContext, args->SubmitSequence] = timestamp;
	owner[args->hContext] = program;
	@packets[program] = count();
}

microsoft-windows-dxgkrnl:::event-180
/queued[args->hContext, args->SubmitSequence]/
{
	@queue[owner[args->hContext]] = sum(timestamp - queued[args->hContext, args->SubmitSequence]);
	queued[args->hContext, args->SubmitSequence] = 0;
}

/* The hardware begins a packet, and has done it. */
microsoft-windows-dxgkrnl:::event-175
{
	started[args->hContext, args->ulQueueSubmitSequence] = timestamp;
}

microsoft-windows-dxgkrnl:::event-177
/started[args->hContext, args->ulQueueSubmitSequence] && owner[args->hContext] != NULL/
{
	@run[owner[args->hContext]] = sum(timestamp - started[args->hContext, args->ulQueueSubmitSequence]);
	started[args->hContext, args->ulQueueSubmitSequence] = 0;
}

END
{
	normalize(@queue, 1000);
	normalize(@run, 1000);
	printf("%-20s %10s %9s %10s %10s\n", "PROGRAM", "FRAMES", "PACKETS", "QUEUED us", "RUN us");
	printa("%-20s %@10d %@9d %@10d %@10d\n", @frames, @packets, @queue, @run);
	printf("\n%-20s %10s %10s\n", "PROGRAM", "SECOND", "FRAMES");
	setopt("aggsortkey");
	printa("%-20s %10d %@10d\n", @rate);
	printa("\n%s: microseconds between frames%@d", @apart);
}
