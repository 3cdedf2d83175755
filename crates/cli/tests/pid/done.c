// Shows when what dtrace does to it takes effect: before the body of the function that is probed, or later.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct shared {
	volatile long count;
	volatile long seen;
};

static volatile sig_atomic_t handled;
static struct shared *shared;

static volatile sig_atomic_t count;

static void handle(int signal)
{
	handled = signal;
	count++;
}

int body(int number)
{
	return handled + number - number;
}

void step(volatile long *count)
{
	*count = *count + 1;
}

// A child that notes the count of its parent when that is stopped, and lets it go on.
static void watch(void)
{
	char path[64], state = 0;
	pid_t parent = getppid();
	snprintf(path, sizeof path, "/proc/%d/stat", (int)parent);
	while (state != 'T' && getppid() == parent) {
		FILE *file = fopen(path, "r");
		if (!file || fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
			state = 0;
		if (file)
			fclose(file);
		usleep(100);
	}
	shared->seen = shared->count + 1;
	kill(parent, SIGCONT);
	_exit(0);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	alarm(60);
	setvbuf(stdout, NULL, _IONBF, 0);
	if (!strcmp(what, "raise")) {
		signal(SIGUSR1, handle);
		for (int number = 0; number < 3; number++) {
			handled = 0;
			printf("%d\n", body(number));
		}
	} else if (!strcmp(what, "twice")) {
		signal(SIGUSR1, handle);
		for (int number = 0; number < 3; number++) {
			handled = 0;
			body(number);
			printf("%d\n", (int)count);
		}
	} else if (!strcmp(what, "stop")) {
		shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		if (!fork())
			watch();
		step(&shared->count);
		while (!shared->seen)
			usleep(100);
		printf("%ld\n", shared->seen - 1);
	}
	return 0;
}
