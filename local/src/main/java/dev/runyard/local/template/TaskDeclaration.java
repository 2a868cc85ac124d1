package dev.runyard.local.template;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Map;

/// An ECS task definition with one container.
///
/// @param image the container's, which nobody pulls here
/// @param environment the container's `Environment` list, unresolved
/// @param stopTimeout time between the request to stop and the kill
/// @param mounts volume name by its path in the container
public record TaskDeclaration(
    String logicalId,
    String family,
    String container,
    String image,
    JsonNode environment,
    Duration stopTimeout,
    Map<String, String> mounts) {

  public TaskDeclaration {
    mounts = Map.copyOf(mounts);
  }

  /// True where the image's registry is one of the hosts that never exist, so that a start fails as
  /// one without an image does.
  public boolean hasNoImage() {
    return image.split("[/:]", 2)[0].endsWith(".invalid");
  }

  public String arn() {
    return PseudoParameters.arn("ecs", "task-definition/" + family + ":1");
  }
}
