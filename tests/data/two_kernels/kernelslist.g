MemcpyHtoD,0x00007f94ba000000,65536
kernel-1.traceg
kernel-2.traceg
