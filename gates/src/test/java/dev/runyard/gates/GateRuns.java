package dev.runyard.gates;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.jupiter.api.function.Executable;

/// Runs a [Gate] on the project and on a copy for each [Breach].
final class GateRuns implements TestTemplateInvocationContextProvider {

  @Override
  public boolean supportsTestTemplate(ExtensionContext gate) {
    return true;
  }

  @Override
  public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
      ExtensionContext gate) {
    Breach[] breaches = gate.getRequiredTestMethod().getAnnotationsByType(Breach.class);
    Reads reads = gate.getRequiredTestClass().getAnnotation(Reads.class);
    String usual = reads == null ? "" : reads.value();
    return Stream.concat(
        Stream.of(new Run("holds", () -> Repository.OURS, "")),
        Arrays.stream(breaches).map(breach -> planted(breach, usual)));
  }

  private static Run planted(Breach breach, String usual) {
    String file = breach.in().isEmpty() ? usual : breach.in();
    return new Run(
        "finds " + breach.named(),
        () -> Repository.OURS.with(file, breach.replace(), breach.by()),
        breach.named());
  }

  /// @param named what the gate must say of its input, nothing where it must pass
  private record Run(String name, Supplier<Repository> input, String named)
      implements TestTemplateInvocationContext, ParameterResolver, InvocationInterceptor {

    @Override
    public String getDisplayName(int number) {
      return name;
    }

    @Override
    public List<Extension> getAdditionalExtensions() {
      return List.of(this);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext gate) {
      return parameter.getParameter().getType() == Repository.class;
    }

    @Override
    public Repository resolveParameter(ParameterContext parameter, ExtensionContext gate) {
      return input.get();
    }

    @Override
    public void interceptTestTemplateMethod(
        Invocation<Void> invocation,
        ReflectiveInvocationContext<Method> method,
        ExtensionContext gate)
        throws Throwable {
      if (named.isEmpty()) {
        invocation.proceed();
      } else {
        mustName(named, invocation::proceed);
      }
    }
  }

  /// Fails when a gate passes, or fails for another reason.
  static void mustName(String named, Executable gate) throws Throwable {
    String said;
    try {
      gate.execute();
      said = "nothing";
    } catch (AssertionError found) {
      said = String.valueOf(found.getMessage());
    }
    if (!said.contains(named)) {
      throw new AssertionError("the gate must name " + named + " and says: " + said);
    }
  }
}
