package dev.runyard.runner.isolation;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.runyard.runner.files.PathBytes;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/// What a file takes of its disk. That may be far more than its size: a program may have a file
/// system keep room behind the end of a file (`fallocate -n`), and Java does not tell how much.
final class Allocation {
  private static final MethodHandle SYSCALL = syscall();
  private static final boolean ARM = System.getProperty("os.arch").equals("aarch64");
  private static final long STATX = ARM ? 291 : 332;
  private static final long WORKING_FOLDER = -100;
  private static final long NO_FOLLOW = 0x100;
  private static final long BLOCKS = 0x400;

  // Places in struct statx, which is the same on every architecture.
  private static final long STATX_BYTES = 256;
  private static final long MASK = 0;
  private static final long BLOCK_COUNT = 48;

  private static final int COUNTED_BYTES = 512;

  /// What a file system may keep behind a small file.
  private static final long KEPT_BYTES = 64 * 1024;

  private Allocation() {}

  /// The bytes that a regular file takes if that is far more than its size, else its size: a file
  /// system may keep as much again behind a file that grows, as XFS does, which is nobody's doing,
  /// and a hole counts as what may be filled.
  static long bytes(Path file, long size) {
    try (Arena arena = Arena.ofConfined()) {
      byte[] bytes = PathBytes.of(file);
      MemorySegment path = arena.allocate(bytes.length + 1L);
      MemorySegment.copy(bytes, 0, path, ValueLayout.JAVA_BYTE, 0, bytes.length);
      MemorySegment told = arena.allocate(STATX_BYTES, Long.BYTES);
      long result =
          (long)
              SYSCALL.invokeExact(
                  STATX, WORKING_FOLDER, path.address(), NO_FOLLOW, BLOCKS, told.address());
      if (result != 0 || (told.get(JAVA_INT, MASK) & BLOCKS) == 0) {
        return size;
      }
      long allocated = told.get(JAVA_LONG, BLOCK_COUNT) * COUNTED_BYTES;
      return allocated > 2 * size + KEPT_BYTES ? allocated : size;
    } catch (Throwable e) {
      throw new IllegalStateException("statx(2) could not be called", e);
    }
  }

  @SuppressWarnings("restricted")
  private static MethodHandle syscall() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().find("syscall").orElseThrow(),
        FunctionDescriptor.of(
            JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
        Linker.Option.firstVariadicArg(1));
  }
}
