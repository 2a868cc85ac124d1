package dev.runyard.needs;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/// A test that compares the project with the standards' own files. All of them are in the group
/// `standards`, so that they can be run alone if the files are present.
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag(NeedsStandards.GROUP)
@Needs(Outside.STANDARDS)
public @interface NeedsStandards {
  String GROUP = "standards";
}
