package dev.runyard.runner.backend;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The text that is reached from an object through the fields of our classes and through
/// collections. What is not text counts as [#OBJECT_CHARS], as many small objects need memory too.
final class HeldText {
  static final int OBJECT_CHARS = 64;

  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Deque<Object> left = new ArrayDeque<>();
  private final Set<String> types = new TreeSet<>();
  private long chars;

  private HeldText() {}

  static HeldText of(Object root) {
    HeldText held = new HeldText();
    held.reach(root);
    while (!held.left.isEmpty()) {
      held.count(held.left.remove());
    }
    return held;
  }

  long chars() {
    return chars;
  }

  /// The names of our classes that were met.
  Set<String> types() {
    return types;
  }

  private void reach(@Nullable Object object) {
    if (object != null && seen.add(object)) {
      left.add(object);
    }
  }

  private void count(Object object) {
    switch (object) {
      case CharSequence text -> chars += OBJECT_CHARS + text.length();
      case JsonNode json -> count(json);
      case Map<?, ?> map -> {
        map.keySet().forEach(this::reach);
        map.values().forEach(this::reach);
        chars += (long) OBJECT_CHARS * map.size();
      }
      case Collection<?> all -> {
        all.forEach(this::reach);
        chars += (long) OBJECT_CHARS * all.size();
      }
      case Optional<?> one -> reach(one.orElse(null));
      case AtomicReference<?> one -> reach(one.get());
      case Object array when array.getClass().isArray() -> {
        chars += (long) OBJECT_CHARS * Array.getLength(array);
        for (int i = 0; array instanceof Object[] && i < Array.getLength(array); i++) {
          reach(Array.get(array, i));
        }
      }
      case Object other -> fields(other);
    }
  }

  private void count(JsonNode json) {
    chars += OBJECT_CHARS + (json.isContainerNode() ? 0 : json.asText().length());
    json.fieldNames().forEachRemaining(this::reach);
    json.forEach(this::reach);
  }

  private void fields(Object object) {
    for (Class<?> type = object.getClass(); isOurs(type); type = type.getSuperclass()) {
      types.add(type.getName());
      for (Field field : type.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
          reach(value(field, object));
        }
      }
    }
  }

  private static @Nullable Object value(Field field, Object object) {
    try {
      field.setAccessible(true);
      return field.get(object);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean isOurs(@Nullable Class<?> type) {
    return type != null && type.getName().startsWith("dev.runyard.") && !type.isEnum();
  }
}
