package dev.runyard.core.event;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The name of an event's type, as the Agent Runtime standard spells it. Logs and clients contain
/// it, so it never changes.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@interface EventType {
  String value();
}
