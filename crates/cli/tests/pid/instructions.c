/* Instructions that a breakpoint could change: each function returns 7. A line for each: its name, and what it returned. */
#include <stdio.h>
#include <unistd.h>

unsigned seven[16] __attribute__((used, aligned(64))) = {7};

#define FUNCTION(name, code)                                                                                          \
    __asm__(".text\n.type f_" #name ",@function\nf_" #name ":\n" code "\nret\n.size f_" #name ",.-f_" #name "\n"); \
    extern long f_##name(long, long);

FUNCTION(vpor, "vmovd %edi,%xmm1\n vpxor %xmm0,%xmm0,%xmm0\n vpor %xmm1,%xmm0,%xmm0\n vmovd %xmm0,%eax")
FUNCTION(vpsubsb, "mov $8,%eax\n vmovd %eax,%xmm0\n mov $1,%eax\n vmovd %eax,%xmm1\n vpsubsb %xmm1,%xmm0,%xmm0\n vmovd %xmm0,%eax")
FUNCTION(vpsubsw, "mov $8,%eax\n vmovd %eax,%xmm0\n mov $1,%eax\n vmovd %eax,%xmm1\n vpsubsw %xmm1,%xmm0,%xmm0\n vmovd %xmm0,%eax")
FUNCTION(vmovdqu_store, "vmovd %edi,%xmm0\n movq $0,-16(%rsp)\n vmovdqu %xmm0,-16(%rsp)\n mov -16(%rsp),%eax")
FUNCTION(vpshufd, "vmovd %edi,%xmm1\n vpxor %xmm0,%xmm0,%xmm0\n vpshufd $0,%xmm1,%xmm0\n vmovd %xmm0,%eax")
FUNCTION(vpsrld, "mov $14,%eax\n vmovd %eax,%xmm0\n vpsrld $1,%xmm0,%xmm0\n vmovd %xmm0,%eax")
FUNCTION(vpcmpeqd, "vpxor %xmm0,%xmm0,%xmm0\n vpcmpeqd %xmm0,%xmm0,%xmm0\n vmovd %xmm0,%eax\n and $7,%eax")
FUNCTION(vpaddd, "vmovd %edi,%xmm0\n vpxor %xmm1,%xmm1,%xmm1\n vpaddd %xmm1,%xmm0,%xmm0\n vmovd %xmm0,%eax\n vzeroupper")
FUNCTION(vxorps, "vmovd %edi,%xmm0\n vxorps %xmm0,%xmm0,%xmm0\n vmovd %xmm0,%eax\n add $7,%eax")
FUNCTION(vpor_memory, "vpxor %xmm0,%xmm0,%xmm0\n vpor seven(%rip),%xmm0,%xmm0\n vmovd %xmm0,%eax")
FUNCTION(vmovdqu_memory, "vmovdqu seven(%rip),%xmm0\n vmovd %xmm0,%eax")
FUNCTION(mulx, "mov $1,%edx\n mulx seven(%rip),%rax,%rcx")
FUNCTION(kmovq, "mov %rdi,-16(%rsp)\n kxorq %k1,%k1,%k1\n kmovq -16(%rsp),%k1\n kmovq %k1,%rax")
FUNCTION(vpbroadcastb, "vpbroadcastb %esi,%zmm17\n vmovdqu64 %zmm17,-128(%rsp)\n movzbl -128(%rsp),%eax")
FUNCTION(vpord, "vmovd %edi,%xmm1\n vpxord %zmm17,%zmm17,%zmm17\n vpord %zmm1,%zmm17,%zmm17\n vmovdqu64 %zmm17,-128(%rsp)\n mov -128(%rsp),%eax")
FUNCTION(por, "movd %edi,%xmm1\n pxor %xmm0,%xmm0\n por %xmm1,%xmm0\n movd %xmm0,%eax")
FUNCTION(xchg_r8, "mov %rdi,%r8\n xor %eax,%eax\n xchg %r8,%rax")
FUNCTION(xchg_r8d, "mov %edi,%r8d\n xor %eax,%eax\n xchg %eax,%r8d")
FUNCTION(xchg_rcx, "mov %rdi,%rcx\n xor %eax,%eax\n xchg %rcx,%rax")
FUNCTION(pushf, "pushf\n pop %rax\n and $0x100,%eax\n add $7,%eax")
FUNCTION(popf, "pushf\n popf\n mov $7,%eax")
FUNCTION(system_call, "mov $39,%eax\n syscall\n ret\n nop")
FUNCTION(interrupt, "push %rbx\n mov $20,%eax\n int $0x80\n pop %rbx\n mov $7,%eax")
FUNCTION(locked, "movq $6,-8(%rsp)\n lock incq -8(%rsp)\n mov -8(%rsp),%rax")
FUNCTION(call, "call 1f\n jmp 2f\n 1: mov $7,%eax\n ret\n 2:")
FUNCTION(call_register, "lea 1f(%rip),%rax\n call *%rax\n jmp 2f\n 1: mov $7,%eax\n ret\n 2:")
FUNCTION(jump_register, "lea 1f(%rip),%rax\n jmp *%rax\n ud2\n 1: mov $7,%eax")
FUNCTION(jumps, "mov $7,%eax\n cmp %eax,%eax\n jne 1f\n jmp 2f\n 1: mov $1,%eax\n 2:")
FUNCTION(loop, "mov $7,%ecx\n xor %eax,%eax\n 1: inc %eax\n loop 1b")
FUNCTION(pushes, "push %r12\n push $7\n push seven(%rip)\n pop %rax\n pop %rax\n pop %r12")
FUNCTION(leave, "push %rbp\n mov %rsp,%rbp\n leave\n mov $7,%eax")
FUNCTION(exchange, "mov $7,%eax\n mov $7,%ecx\n cmpxchg %ecx,seven(%rip)")
FUNCTION(repeated, "mov %rdi,-8(%rsp)\n lea -8(%rsp),%rsi\n lea -32(%rsp),%rdi\n mov $8,%ecx\n rep movsb\n mov -32(%rsp),%eax")
FUNCTION(thread, "mov %fs:0,%rcx\n mov $7,%eax")
FUNCTION(address, "lea seven(%rip),%rax\n mov (%rax),%eax")

#define RUN(name, feature)                                              \
    if (__builtin_cpu_supports(feature)) {                              \
        int result = (int)f_##name(7, 7);                               \
        printf("%s %d\n", #name, result == getpid() ? 7 : result);      \
    }

int main(void) {
    RUN(vpor, "avx2")
    RUN(vpsubsb, "avx2")
    RUN(vpsubsw, "avx2")
    RUN(vmovdqu_store, "avx2")
    RUN(vpshufd, "avx2")
    RUN(vpsrld, "avx2")
    RUN(vpcmpeqd, "avx2")
    RUN(vpaddd, "avx2")
    RUN(vxorps, "avx2")
    RUN(vpor_memory, "avx2")
    RUN(vmovdqu_memory, "avx2")
    RUN(mulx, "bmi2")
    RUN(kmovq, "avx512bw")
    RUN(vpbroadcastb, "avx512bw")
    RUN(vpord, "avx512bw")
    RUN(por, "sse2")
    RUN(xchg_r8, "sse2")
    RUN(xchg_r8d, "sse2")
    RUN(xchg_rcx, "sse2")
    RUN(pushf, "sse2")
    RUN(popf, "sse2")
    RUN(system_call, "sse2")
    RUN(interrupt, "sse2")
    RUN(locked, "sse2")
    RUN(call, "sse2")
    RUN(call_register, "sse2")
    RUN(jump_register, "sse2")
    RUN(jumps, "sse2")
    RUN(loop, "sse2")
    RUN(pushes, "sse2")
    RUN(leave, "sse2")
    RUN(exchange, "sse2")
    RUN(repeated, "sse2")
    RUN(thread, "sse2")
    RUN(address, "sse2")
    return 0;
}
