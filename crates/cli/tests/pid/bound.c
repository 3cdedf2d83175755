/* Starts a program that may have no hooks: `bound KIND PROGRAM WORDS`. Status 77: the kernel does not know the kind. */
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef PR_SET_MDWE
#define PR_SET_MDWE 65
#endif

int main(int argc, char **argv) {
    const char *kind = argc > 2 ? argv[1] : "";
    if (!strcmp(kind, "mdwe")) {
        /* Memory does not become executable. */
        if (prctl(PR_SET_MDWE, 1, 0, 0, 0)) return 77;
    } else if (!strcmp(kind, "seccomp")) {
        struct sock_filter all[] = { BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW) };
        struct sock_fprog filter = { 1, all };
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return 77;
        if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0)) return 77;
    } else if (!strcmp(kind, "traced")) {
        /* The child is traced by this program, which forwards its signals until it ends. */
        pid_t child = fork();
        if (child > 0) {
            int status;
            if (ptrace(PTRACE_SEIZE, child, 0, 0)) return 77;
            while (waitpid(child, &status, 0) == child && WIFSTOPPED(status))
                ptrace(PTRACE_CONT, child, 0, status >> 16 ? 0 : WSTOPSIG(status));
            return 0;
        }
        prctl(PR_SET_PDEATHSIG, 9, 0, 0, 0);
        usleep(50000);
    } else {
        return 2;
    }
    execv(argv[2], argv + 2);
    return 3;
}
