package dev.runyard.local.function;

import dev.runyard.local.template.FunctionDeclaration;
import java.util.Map;

/// Makes the handler or server of a function. Its variables are given to a constructor, because one
/// JVM cannot have a separate environment per function.
@FunctionalInterface
public interface FunctionMaker {
  /// An instance of the function's class.
  ///
  /// @param variables the template's variables for the function
  /// @throws ReflectiveOperationException when the class has no such constructor, or that throws
  Object make(FunctionDeclaration function, Class<?> type, Map<String, String> variables)
      throws ReflectiveOperationException;
}
