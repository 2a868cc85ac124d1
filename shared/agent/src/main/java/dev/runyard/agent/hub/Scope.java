package dev.runyard.agent.hub;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/// The part of the work in which something happens. A scope is on top of another one and overrides
/// the members it sets.
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Scope(@Nullable Phase phase, @Nullable Task task, @Nullable Agent agent) {
  public static final Scope NONE = new Scope(null, null, null);

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Phase(String name, @Nullable Integer number) {}

  public record Task(String id) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Agent(String name, @Nullable String type) {}

  public static Scope phase(String name) {
    return new Scope(new Phase(name, null), null, null);
  }

  public static Scope task(String id) {
    return new Scope(null, new Task(id), null);
  }

  public static Scope agent(String name) {
    return new Scope(null, null, new Agent(name, null));
  }

  Scope over(Scope below) {
    return new Scope(
        phase == null ? below.phase : phase,
        task == null ? below.task : task,
        agent == null ? below.agent : agent);
  }
}
