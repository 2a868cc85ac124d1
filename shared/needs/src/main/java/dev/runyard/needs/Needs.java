package dev.runyard.needs;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/// A test, or a class of tests, that needs something from outside the repository. If that is
/// absent, the test is skipped and says so; there is no other way to skip a test.
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsCondition.class)
public @interface Needs {
  Outside value();
}
