package dev.runyard.runner.files;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A file, folder or link that is held as such: whatever its name leads to later, this stays what
/// was there. So what is asked about it, and what is then read or changed, is of one and the same,
/// however fast somebody else exchanges it. It was reached within its folder without following a
/// link.
///
/// It is not open (`O_PATH`, `open(2)`): a pipe is not waited for, and a device does nothing. Java
/// reaches it below `/proc/self/fd`, where the kernel leads to what is held and not to a name.
public final class Pinned implements AutoCloseable {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO = STATE.varHandle(PathElement.groupElement("errno"));
  private static final MethodHandle OPENAT =
      function(
          "openat",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT),
          Linker.Option.firstVariadicArg(3),
          Linker.Option.captureCallState("errno"));
  private static final MethodHandle CLOSE =
      function("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

  private static final boolean ARM = System.getProperty("os.arch").equals("aarch64");
  private static final int NO_LINK = ARM ? 0x8000 : 0x2_0000;
  private static final int CLOSED_ON_EXEC = 0x8_0000;
  private static final int ONLY_HELD = 0x20_0000;
  private static final int WORKING_DIRECTORY = -100;
  private static final int NOT_THERE = 2;
  private static final Path HELD = Path.of("/proc/self/fd");

  private final int descriptor;

  @SuppressWarnings("restricted")
  private static MethodHandle function(
      String name, FunctionDescriptor form, Linker.Option... options) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), form, options);
  }

  private Pinned(int descriptor) {
    this.descriptor = descriptor;
  }

  /// What a path leads to; if that is a link, the link. Folders above are passed as usual, so they
  /// must be the runner's.
  public static Pinned at(Path path) throws IOException {
    return opened(WORKING_DIRECTORY, path.toAbsolutePath());
  }

  /// What a name leads to in this folder; if that is a link, the link.
  ///
  /// @param name without a slash
  public Pinned in(Path name) throws IOException {
    return opened(descriptor, name);
  }

  private static Pinned opened(int from, Path name) throws IOException {
    byte[] bytes = PathBytes.of(name);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(bytes.length + 1L);
      MemorySegment.copy(bytes, 0, text, JAVA_BYTE, 0, bytes.length);
      MemorySegment state = arena.allocate(STATE);
      int opened =
          (int) OPENAT.invokeExact(state, from, text, ONLY_HELD | NO_LINK | CLOSED_ON_EXEC);
      if (opened >= 0) {
        return new Pinned(opened);
      }
      int error = (int) ERRNO.get(state, 0L);
      throw error == NOT_THERE
          ? new NoSuchFileException(name.toString())
          : new FileSystemException(name.toString(), null, "system error " + error);
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("openat(2) could not be called", e);
    }
  }

  /// A path that leads to what is held, for this process and as long as this is not closed.
  public Path path() {
    return HELD.resolve(Integer.toString(descriptor));
  }

  public FileFacts facts() throws IOException {
    return FactsCall.of(descriptor);
  }

  /// What the system says of what a name leads to in this folder by now; if that is a link, of the
  /// link. It costs less than to hold it, where it is only counted.
  ///
  /// @param name without a slash
  public FileFacts facts(Path name) throws IOException {
    return FactsCall.of(descriptor, PathBytes.of(name));
  }

  /// Opens the content of a regular file.
  public InputStream open() throws IOException {
    return Files.newInputStream(path());
  }

  /// The names in a folder.
  ///
  /// @throws IOException also if there are more than `namesMax`
  public List<Path> names(int namesMax) throws IOException {
    List<Path> names = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(path())) {
      for (Path entry : entries) {
        if (names.size() == namesMax) {
          throw new IOException("a folder has too many entries");
        }
        names.add(entry.getFileName());
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return names;
  }

  /// Gives it to a user, and its group to that user's.
  public void give(int uid) throws IOException {
    Files.setAttribute(path(), "unix:gid", uid);
    Files.setAttribute(path(), "unix:uid", uid);
  }

  @Override
  @SuppressWarnings("UnusedVariable")
  public void close() {
    try {
      int ignored = (int) CLOSE.invokeExact(descriptor);
    } catch (Throwable e) {
      throw new IllegalStateException("close(2) could not be called", e);
    }
  }
}
