package dev.runyard.needs;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/// A test that holds the project to the standards' own files. The group `standards` is all of them,
/// so that they can be run alone where the files are there.
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag(NeedsStandards.GROUP)
@Needs(Outside.STANDARDS)
public @interface NeedsStandards {
  String GROUP = "standards";
}
