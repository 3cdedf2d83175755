#!/bin/sh
# Makes demo.dll with demo.pdb, bare.dll with bare.pdb, which tells of public symbols only, and folded.pdb of a library
# in which two functions are one: the files that the symbol tests read. Needs clang, lld and llvm (Debian: clang lld llvm; version 14 made those checked in) and
# a Rust compiler. Databases name the folder of their sources, so all is made in /src.
set -e
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p /src
cp "$here/demo.cpp" "$here/folded.cpp" "$here/ledger.rs" /src
cd /src
RUSTC_BOOTSTRAP=1 rustc --edition 2024 --target x86_64-pc-windows-msvc -C panic=abort -C metadata=ledger \
    -Z unstable-options -C symbol-mangling-version=legacy -O -g --emit=obj -o ledger.obj ledger.rs
flags="--target=x86_64-pc-windows-msvc -O2 -ffreestanding -fno-exceptions -fno-rtti -mno-implicit-float
    -ffunction-sections -fdebug-compilation-dir=."
clang $flags -g -gcodeview -c demo.cpp -o demo.obj
clang $flags -c demo.cpp -o bare.obj
for name in demo bare; do
    lld-link /dll /debug /nodefaultlib /entry:_DllMainCRTStartup /opt:noref /timestamp:1700000000 \
        /out:$name.dll /pdb:$name.pdb /pdbaltpath:$name.pdb $name.obj ledger.obj
    cp $name.dll $name.pdb "$here"
done
clang $flags -g -gcodeview -c folded.cpp -o folded.obj
lld-link /dll /debug /nodefaultlib /entry:_DllMainCRTStartup /opt:ref,icf /timestamp:1700000000 \
    /out:folded.dll /pdb:folded.pdb /pdbaltpath:folded.pdb folded.obj
cp folded.pdb "$here"

# The truth by another reader: what llvm-symbolizer says of every instruction of demo.dll.
cd "$here"
llvm-objdump -d demo.dll | sed -n 's/^ *\(1800[0-9a-f]*\):.*/0x\1/p' > /src/addresses
llvm-symbolizer --obj=demo.dll --inlines --print-address --pretty-print < /src/addresses > demo.lines
