package dev.runyard.runner.files;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.runyard.runner.files.FileFacts.Kind;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.FileSystemException;
import java.nio.file.attribute.FileTime;
import java.time.Instant;

/// One call of the system that says all of a file at once (`statx(2)`), by its name within an open
/// folder: it costs the same however deep that folder is, and no two answers are of different
/// files. Java has neither, and does not tell what a file takes of its disk.
final class FactsCall {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO = STATE.varHandle(PathElement.groupElement("errno"));
  private static final MethodHandle SYSCALL = syscall();

  private static final boolean ARM = System.getProperty("os.arch").equals("aarch64");
  private static final long STATX = ARM ? 291 : 332;
  private static final long NO_FOLLOW = 0x100;
  private static final long ITSELF = 0x1000;
  private static final long BASIC = 0x7ff;

  // Places in struct statx, which is the same on every architecture.
  private static final long STATX_BYTES = 256;
  private static final long NAMES = 16;
  private static final long UID = 20;
  private static final long MODE = 28;
  private static final long INODE = 32;
  private static final long SIZE = 40;
  private static final long BLOCKS = 48;
  private static final long WRITTEN_SECONDS = 112;
  private static final long WRITTEN_NANOS = 120;
  private static final long DEVICE_MAJOR = 136;
  private static final long DEVICE_MINOR = 140;

  private static final int BLOCK_BYTES = 512;
  private static final int PERMISSIONS = 0xfff;
  private static final int KIND = 0xf000;
  private static final int FOLDER = 0x4000;
  private static final int FILE = 0x8000;
  private static final int LINK = 0xa000;

  private FactsCall() {}

  /// What is said of what a descriptor holds.
  static FileFacts of(int held) throws IOException {
    return of(held, new byte[0], ITSELF);
  }

  /// What is said of what a name leads to in a folder; if that is a link, of the link.
  static FileFacts of(int folder, byte[] name) throws IOException {
    return of(folder, name, NO_FOLLOW);
  }

  private static FileFacts of(int folder, byte[] name, long flags) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      return read(told(arena, folder, name, flags));
    }
  }

  private static MemorySegment told(Arena arena, int folder, byte[] name, long flags)
      throws IOException {
    try {
      MemorySegment text = arena.allocate(name.length + 1L);
      MemorySegment.copy(name, 0, text, ValueLayout.JAVA_BYTE, 0, name.length);
      MemorySegment told = arena.allocate(STATX_BYTES, Long.BYTES);
      MemorySegment state = arena.allocate(STATE);
      long result =
          (long)
              SYSCALL.invokeExact(
                  state, STATX, (long) folder, text.address(), flags, BASIC, told.address());
      if (result != 0) {
        throw new FileSystemException("a file", null, "system error " + (int) ERRNO.get(state, 0L));
      }
      return told;
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("statx(2) could not be called", e);
    }
  }

  private static FileFacts read(MemorySegment told) {
    int mode = Short.toUnsignedInt(told.get(JAVA_SHORT, MODE));
    return new FileFacts(
        kind(mode & KIND),
        told.get(JAVA_INT, UID),
        told.get(JAVA_INT, NAMES),
        mode & PERMISSIONS,
        told.get(JAVA_LONG, SIZE),
        told.get(JAVA_LONG, BLOCKS) * BLOCK_BYTES,
        written(told.get(JAVA_LONG, WRITTEN_SECONDS), told.get(JAVA_INT, WRITTEN_NANOS)),
        told.get(JAVA_LONG, INODE),
        (long) told.get(JAVA_INT, DEVICE_MAJOR) << Integer.SIZE
            | Integer.toUnsignedLong(told.get(JAVA_INT, DEVICE_MINOR)));
  }

  /// Whoever has a file chooses its time, beyond those that Java has too.
  static FileTime written(long seconds, int nanos) {
    long known =
        Math.clamp(seconds, Instant.MIN.getEpochSecond(), Instant.MAX.getEpochSecond() - 1);
    return FileTime.from(Instant.ofEpochSecond(known, known == seconds ? nanos : 0));
  }

  private static Kind kind(int bits) {
    return switch (bits) {
      case FOLDER -> Kind.FOLDER;
      case FILE -> Kind.FILE;
      case LINK -> Kind.LINK;
      default -> Kind.SPECIAL;
    };
  }

  @SuppressWarnings("restricted")
  private static MethodHandle syscall() {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow("syscall"),
        FunctionDescriptor.of(
            JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
        Linker.Option.firstVariadicArg(1),
        Linker.Option.captureCallState("errno"));
  }
}
