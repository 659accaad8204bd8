"""A machine that fails below the program: disks, clocks, addresses, system calls, kills."""
