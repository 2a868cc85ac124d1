package org.jspecify.annotations;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Stands in for JSpecify's annotation where mutants are made: the JVM refuses to exchange the
/// class of a record whose components have an annotation that is visible at run time.
@Target(ElementType.TYPE_USE)
@Retention(RetentionPolicy.CLASS)
public @interface Nullable {}
