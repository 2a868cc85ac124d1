package dev.runyard.gates;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// A test that makes the input for a rule itself, because no change of a file would do as a
/// [Breach]: an archive, a call, a report. On a class: each of its tests.
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Planted {

  /// Tests that hold the same rule against what the project has: by name in the same class, as
  /// `Type.name` in another of the package.
  String[] value() default {};
}
