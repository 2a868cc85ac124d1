package dev.runyard.gates;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/// A test of a rule that the files of a [Repository] hold to. It runs on the project's own, where
/// it must pass, and on a copy for each [Breach] beside it, where it must fail and name what is
/// wrong. `GatesTest` refuses one that has none: a rule that cannot be broken checks nothing.
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(GateRuns.class)
public @interface Gate {}
