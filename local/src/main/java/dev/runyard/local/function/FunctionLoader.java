package dev.runyard.local.function;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.sun.net.httpserver.HttpHandler;
import dev.runyard.local.template.FunctionDeclaration;
import dev.runyard.local.template.TemplateException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/// Instantiates the classes the template names.
public final class FunctionLoader {
  private static final String MAIN_CLASS = "MAIN_CLASS";

  private final FunctionMaker maker;
  private final ExecutorService calls;

  /// A loader whose functions run on the given threads.
  public FunctionLoader(FunctionMaker maker, ExecutorService calls) {
    this.maker = maker;
    this.calls = calls;
  }

  /// Whether the function is a plain HTTP server behind the web adapter: then its handler is a
  /// script and `MAIN_CLASS` names the server.
  public static boolean isServer(Map<String, String> environment) {
    return environment.containsKey(MAIN_CLASS);
  }

  /// Loads the server of a function behind the web adapter, which takes exchanges itself.
  public HttpHandler server(FunctionDeclaration declaration, Map<String, String> environment) {
    String className = environment.getOrDefault(MAIN_CLASS, "");
    Object server = instance(declaration, className, environment);
    if (server instanceof HttpHandler handler) {
      return handler;
    }
    throw new TemplateException(
        declaration.logicalId() + ": " + className + " is not an HttpHandler");
  }

  /// Loads a function that handles events.
  ///
  /// @param eventTypes the types of the events of its sources
  public LambdaFunction function(
      FunctionDeclaration declaration,
      Map<String, String> environment,
      Iterable<Class<?>> eventTypes) {
    String className = declaration.handler().split("::", -1)[0];
    Object instance = instance(declaration, className, environment);
    if (!(instance instanceof RequestHandler<?, ?> handler)) {
      throw new TemplateException(
          declaration.logicalId() + ": " + className + " is not a RequestHandler");
    }
    eventTypes.forEach(type -> requireTakes(declaration, handler, type));
    @SuppressWarnings("unchecked")
    RequestHandler<Object, @Nullable Object> untyped =
        (RequestHandler<Object, @Nullable Object>) handler;
    return new LambdaFunction(
        declaration.name(), declaration.timeout(), declaration.memoryMegabytes(), untyped, calls);
  }

  private Object instance(
      FunctionDeclaration declaration, String className, Map<String, String> environment) {
    try {
      return maker.make(declaration, Class.forName(className), environment);
    } catch (InvocationTargetException e) {
      throw new TemplateException(
          declaration.logicalId() + ": " + className + " does not start: " + e.getCause(), e);
    } catch (ReflectiveOperationException e) {
      throw new TemplateException(
          declaration.logicalId() + ": cannot make " + className + ": " + e, e);
    }
  }

  private static void requireTakes(
      FunctionDeclaration declaration, RequestHandler<?, ?> handler, Class<?> eventType) {
    boolean takes =
        Arrays.stream(handler.getClass().getMethods())
            .filter(method -> method.getName().equals("handleRequest") && !method.isBridge())
            .map(Method::getParameterTypes)
            .anyMatch(types -> types.length == 2 && types[0].isAssignableFrom(eventType));
    if (!takes) {
      throw new TemplateException(
          declaration.logicalId() + " takes no " + eventType.getSimpleName() + " events");
    }
  }
}
