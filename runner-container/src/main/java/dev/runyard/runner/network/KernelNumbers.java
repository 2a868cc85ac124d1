package dev.runyard.runner.network;

import java.util.Optional;

/// The numbers of system calls on one architecture, from its table in the Linux kernel
/// (`syscall_64.tbl`, `asm-generic/unistd.h`).
///
/// @param audit `AUDIT_ARCH_…`, by which a filter recognizes the architecture
/// @param second true if a second table of calls begins at [#SECOND_TABLE]
record KernelNumbers(
    int audit,
    boolean second,
    int socket,
    int setsockopt,
    int close,
    int ioctl,
    int ppoll,
    int prctl,
    int seccomp) {
  /// The x32 calls of x86-64.
  static final int SECOND_TABLE = 0x4000_0000;

  /// The same on every architecture.
  static final int IO_URING_SETUP = 425;

  static final int PIDFD_OPEN = 434;
  static final int PIDFD_GETFD = 438;

  private static final KernelNumbers X86_64 =
      new KernelNumbers(0xC000_003E, true, 41, 54, 3, 16, 271, 157, 317);
  private static final KernelNumbers AARCH64 =
      new KernelNumbers(0xC000_00B7, false, 198, 208, 57, 29, 73, 167, 277);

  /// Those of this machine; empty if they are not known.
  static Optional<KernelNumbers> here() {
    return switch (System.getProperty("os.arch")) {
      case "amd64", "x86_64" -> Optional.of(X86_64);
      case "aarch64" -> Optional.of(AARCH64);
      case String _ -> Optional.empty();
    };
  }
}
