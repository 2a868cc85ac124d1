package dev.runyard.agent.hub;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/// The part of the work in which something happens. A scope is on top of another one and overrides
/// the members it sets.
@JsonInclude(JsonInclude.Include.NON_NULL)
public record HubScope(@Nullable Phase phase, @Nullable Task task, @Nullable Agent agent) {
  public static final HubScope NONE = new HubScope(null, null, null);

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Phase(String name, @Nullable Integer number) {}

  public record Task(String id) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Agent(String name, @Nullable String type) {}

  public static HubScope phase(String name) {
    return new HubScope(new Phase(name, null), null, null);
  }

  public static HubScope task(String id) {
    return new HubScope(null, new Task(id), null);
  }

  public static HubScope agent(String name) {
    return new HubScope(null, null, new Agent(name, null));
  }

  HubScope over(HubScope below) {
    return new HubScope(
        phase == null ? below.phase : phase,
        task == null ? below.task : task,
        agent == null ? below.agent : agent);
  }
}
