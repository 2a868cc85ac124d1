package dev.runyard.embedded;

import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.memory.SettableClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/// A store in a folder of its own, on a clock that is set and passes when somebody waits.
final class StoreRig implements AutoCloseable {
  static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
  static final Duration RETENTION = Duration.ofDays(30);

  private final Path folder;
  private final SettableClock clock = new SettableClock(START);
  private final Ids ids = new RandomIds(new Random(7));
  private final FaultyConnections connections = new FaultyConnections();
  private @Nullable EmbeddedStore store;
  private Waits waits = this::pass;

  StoreRig() {
    try {
      folder = Files.createTempDirectory("store");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path folder() {
    return folder;
  }

  /// Where the store is, which is not there before it is first opened.
  StoreSettings settings() {
    return new StoreSettings(folder.resolve("data"), RETENTION);
  }

  SettableClock clock() {
    return clock;
  }

  FaultyConnections connections() {
    return connections;
  }

  private void pass(Doorbell bell, long seen, Duration longest) {
    if (bell.rings() == seen) {
      clock.advance(longest);
    }
  }

  /// Waits as is said here, in stores opened from now on.
  void waitBy(Waits how) {
    waits = how;
  }

  /// What a store gets that is opened here.
  StoreEnvironment environment() {
    return new StoreEnvironment(clock, ids, waits, connections, StoreFormat.CURRENT);
  }

  /// The store, opened when it is first asked for.
  synchronized EmbeddedStore store() {
    EmbeddedStore there = store;
    if (there == null) {
      there = EmbeddedStore.open(settings(), environment());
      store = there;
    }
    return there;
  }

  /// The store, closed and opened again.
  synchronized EmbeddedStore reopened() {
    closeStore();
    return store();
  }

  /// A port that is asked of a store opened anew for each call.
  <T> T reopening(Class<T> port, Function<EmbeddedStore, T> of) {
    return port.cast(
        Proxy.newProxyInstance(
            StoreRig.class.getClassLoader(),
            new Class<?>[] {port},
            (_, method, arguments) -> {
              synchronized (this) {
                try {
                  return method.invoke(of.apply(reopened()), arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              }
            }));
  }

  synchronized void closeStore() {
    EmbeddedStore there = store;
    if (there != null) {
      there.close();
      store = null;
    }
  }

  @Override
  public void close() throws IOException {
    closeStore();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /// Gives each test a rig.
  static final class Given implements ParameterResolver {
    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(
        ExtensionContext rootContext) {
      return ExtensionContextScope.TEST_METHOD;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == StoreRig.class;
    }

    @Override
    public StoreRig resolveParameter(ParameterContext parameter, ExtensionContext context) {
      StoreRig rig = new StoreRig();
      context
          .getStore(ExtensionContext.Namespace.create(StoreRig.class, context.getUniqueId()))
          .put(rig, rig);
      return rig;
    }
  }
}
