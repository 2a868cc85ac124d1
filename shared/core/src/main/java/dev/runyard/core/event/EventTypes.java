package dev.runyard.core.event;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The event types this code writes and understands, by their names.
public final class EventTypes {
  private static final Map<String, Class<? extends RunEvent>> BY_NAME =
      records(RunEvent.class)
          .distinct()
          .filter(type -> type != RunEvent.Other.class)
          .collect(Collectors.toUnmodifiableMap(EventTypes::named, Function.identity()));

  private static final Map<Class<? extends RunEvent>, String> NAMES =
      BY_NAME.entrySet().stream()
          .collect(Collectors.toUnmodifiableMap(Map.Entry::getValue, Map.Entry::getKey));

  private EventTypes() {}

  public static List<String> names() {
    return BY_NAME.keySet().stream().sorted().toList();
  }

  public static String nameOf(RunEvent event) {
    return event instanceof RunEvent.Other other
        ? other.type()
        : Objects.requireNonNull(NAMES.get(event.getClass()));
  }

  /// The record type of a name, or null for an unknown name.
  public static @Nullable Class<? extends RunEvent> typeOf(String name) {
    return BY_NAME.get(name);
  }

  private static Stream<Class<? extends RunEvent>> records(Class<? extends RunEvent> family) {
    return family.isRecord()
        ? Stream.of(family)
        : Arrays.stream(family.getPermittedSubclasses())
            .flatMap(type -> records(type.asSubclass(RunEvent.class)));
  }

  private static String named(Class<? extends RunEvent> type) {
    EventType name = type.getAnnotation(EventType.class);
    if (name == null) {
      throw new IllegalStateException("event without a name: " + type.getSimpleName());
    }
    return name.value();
  }
}
