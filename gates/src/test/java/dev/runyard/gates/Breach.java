package dev.runyard.gates;

import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// A change of one file that a [Gate] must notice. The file's text is changed in memory only.
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(Breach.Several.class)
public @interface Breach {

  /// The file, below the project's folder; the one that the class [Reads] when it is empty.
  String in() default "";

  /// Text of the file whose first occurrence is replaced. Empty for the whole of a file, which may
  /// be a new one.
  String replace() default "";

  /// What stands there instead. A file of which nothing is left is gone.
  String by();

  /// What the failure says of it.
  String named();

  /// The breaches of one gate.
  @Target(ElementType.METHOD)
  @Retention(RetentionPolicy.RUNTIME)
  @interface Several {
    Breach[] value();
  }
}
