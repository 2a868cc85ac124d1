package dev.runyard.functions.tenants;

import dev.runyard.core.access.Keys;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What functions ask of their ports, in order. Each question takes time, and nothing else that
/// they do depends on what is stored: answers after the same questions take equally long.
final class PortCalls {
  /// The check of a caller asks these, now and then, of its own key.
  private static final Set<String> OF_THE_CHECK = Set.of("find", "used");

  private final List<String> calls = new ArrayList<>();

  /// The same port, whose calls are written down, and those of the ports that it has.
  <T> T of(Class<T> type, T port) {
    InvocationHandler handler = (_, method, arguments) -> called(type, port, method, arguments);
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private @Nullable Object called(
      Class<?> type, Object port, Method method, Object @Nullable [] arguments) throws Throwable {
    Object result;
    try {
      result = method.invoke(port, arguments);
    } catch (InvocationTargetException e) {
      throw Optional.ofNullable(e.getCause()).orElse(e);
    }
    Class<?> returned = method.getReturnType();
    if (method.getParameterCount() == 0
        && returned.isInterface()
        && returned.getName().startsWith("dev.runyard.core.")) {
      return inner(returned, result);
    }
    if (type != Keys.class || !OF_THE_CHECK.contains(method.getName())) {
      synchronized (calls) {
        calls.add(type.getSimpleName() + "." + method.getName());
      }
    }
    return result;
  }

  private <T> T inner(Class<T> type, Object port) {
    return of(type, type.cast(port));
  }

  /// The calls since this was asked last.
  List<String> taken() {
    synchronized (calls) {
      List<String> taken = List.copyOf(calls);
      calls.clear();
      return taken;
    }
  }
}
