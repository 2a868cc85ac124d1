package dev.runyard.gates;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The file that the gates of a class are about, and that their breaches change unless they name
/// another.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Reads {
  String value();
}
