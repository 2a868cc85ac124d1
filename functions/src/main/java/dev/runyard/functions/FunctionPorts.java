package dev.runyard.functions;

import dev.runyard.core.application.Ports;
import dev.runyard.core.application.UseCases;
import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.artifact.LargeObjects;
import dev.runyard.core.log.StreamWatch;
import dev.runyard.core.secret.Fetched;
import dev.runyard.core.secret.SecretSource;
import dev.runyard.core.upload.UploadPlaces;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;

/// What functions of one process share.
///
/// @param useCases on these ports; each function has them in its own name
/// @param objects where what runs leave and begin with is
/// @param watch tells readers of a run that it may have grown
/// @param secrets reads the operator's secrets
/// @param jobSteps where steps of jobs are taken aside; empty where they are part of their batch
public record FunctionPorts(
    Ports ports,
    UseCases useCases,
    Objects objects,
    StreamWatch watch,
    Function<SecretSource, Fetched> secrets,
    Optional<Executor> jobSteps) {
  /// Stores of objects, each asked for when a request needs it.
  ///
  /// @param uploads places for uploads
  public record Objects(
      Supplier<ArtifactStore> artifacts,
      Supplier<LargeObjects> large,
      Supplier<UploadPlaces> uploads) {}
}
