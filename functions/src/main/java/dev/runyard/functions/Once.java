package dev.runyard.functions;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What is made when it is first asked for, and then kept.
final class Once {
  private Once() {}

  static <T> Supplier<T> of(Supplier<T> making) {
    AtomicReference<@Nullable T> made = new AtomicReference<>();
    return () -> {
      T known = made.get();
      if (known != null) {
        return known;
      }
      T first = making.get();
      T other = made.compareAndExchange(null, first);
      return other == null ? first : other;
    };
  }
}
