package dev.runyard.runner.network;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/// The calls of Linux that Java has no classes for. Each returns what the system does, or, where
/// that failed, the negative error number.
final class KernelCalls {
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO = STATE.varHandle(PathElement.groupElement("errno"));

  /// `long syscall(long number, long a, long b, long c, long d, long e)`.
  private static final MethodHandle SYSCALL = link("syscall", 6);

  private static final MethodHandle EXECVE = linkExecve();

  private KernelCalls() {}

  static long call(long number, long... arguments) {
    long[] all = Arrays.copyOf(arguments, 5);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      long result =
          (long) SYSCALL.invokeExact(state, number, all[0], all[1], all[2], all[3], all[4]);
      return result == -1 ? -(int) ERRNO.get(state, 0L) : result;
    } catch (Throwable e) {
      throw new IllegalStateException("a system call could not be made", e);
    }
  }

  /// Becomes another program. Returns only if that failed.
  ///
  /// @param environment as `NAME=value`
  static int become(String program, List<String> argv, List<String> environment) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      int ignored =
          (int)
              EXECVE.invokeExact(
                  state,
                  arena.allocateFrom(program, StandardCharsets.UTF_8),
                  strings(arena, argv),
                  strings(arena, environment));
      return (int) ERRNO.get(state, 0L) * (ignored < 0 ? 1 : 0);
    } catch (Throwable e) {
      throw new IllegalStateException("execve(2) could not be called", e);
    }
  }

  private static MemorySegment strings(Arena arena, List<String> texts) {
    MemorySegment array = arena.allocate(ADDRESS, texts.size() + 1L);
    for (int i = 0; i < texts.size(); i++) {
      array.setAtIndex(ADDRESS, i, arena.allocateFrom(texts.get(i), StandardCharsets.UTF_8));
    }
    return array;
  }

  @SuppressWarnings("restricted")
  private static MethodHandle link(String name, int longs) {
    MemoryLayout[] parameters = new MemoryLayout[longs];
    Arrays.fill(parameters, JAVA_LONG);
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().find(name).orElseThrow(),
        FunctionDescriptor.of(JAVA_LONG, parameters),
        Linker.Option.captureCallState("errno"));
  }

  @SuppressWarnings("restricted")
  private static MethodHandle linkExecve() {
    Linker linker = Linker.nativeLinker();
    ValueLayout pointer = ADDRESS;
    return linker.downcallHandle(
        linker.defaultLookup().find("execve").orElseThrow(),
        FunctionDescriptor.of(JAVA_INT, pointer, pointer, pointer),
        Linker.Option.captureCallState("errno"));
  }
}
