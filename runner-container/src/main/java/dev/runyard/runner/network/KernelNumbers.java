package dev.runyard.runner.network;

import java.util.Optional;

/// The numbers of system calls on one architecture, from its table in the Linux kernel
/// (`syscall_64.tbl`, `asm-generic/unistd.h`).
///
/// @param audit `AUDIT_ARCH_…`, by which a filter recognizes the architecture
/// @param second true if a second table of calls begins at [#SECOND_TABLE]
record KernelNumbers(int audit, boolean second, Sockets sockets, Others others) {
  /// The x32 calls of x86-64.
  static final int SECOND_TABLE = 0x4000_0000;

  /// The same on every architecture.
  static final int IO_URING_SETUP = 425;

  /// Calls for sockets.
  record Sockets(
      int socket,
      int bind,
      int listen,
      int accept4,
      int connect,
      int setsockopt,
      int sendmsg,
      int recvmsg) {}

  /// Other calls.
  record Others(
      int read,
      int write,
      int close,
      int ioctl,
      int ppoll,
      int prctl,
      int seccomp,
      int setpriority) {}

  private static final KernelNumbers X86_64 =
      new KernelNumbers(
          0xC000_003E,
          true,
          new Sockets(41, 49, 50, 288, 42, 54, 46, 47),
          new Others(0, 1, 3, 16, 271, 157, 317, 141));
  private static final KernelNumbers AARCH64 =
      new KernelNumbers(
          0xC000_00B7,
          false,
          new Sockets(198, 200, 201, 242, 203, 208, 211, 212),
          new Others(63, 64, 57, 29, 73, 167, 277, 140));

  /// Those of this machine; empty if they are not known.
  static Optional<KernelNumbers> here() {
    return switch (System.getProperty("os.arch")) {
      case "amd64", "x86_64" -> Optional.of(X86_64);
      case "aarch64" -> Optional.of(AARCH64);
      case String _ -> Optional.empty();
    };
  }
}
