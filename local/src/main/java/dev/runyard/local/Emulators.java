package dev.runyard.local;

import dev.runyard.local.emulator.EmbeddedQueues;
import dev.runyard.local.emulator.EmbeddedTables;
import dev.runyard.local.emulator.QueueGate;
import dev.runyard.local.emulator.Queues;
import dev.runyard.local.emulator.RemoteTables;
import dev.runyard.local.emulator.Tables;
import dev.runyard.local.rights.AccessCheck;
import dev.runyard.local.template.Blueprint;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;

/// The tables and queues of a starting stack. Both emulators start in parallel to reading the
/// template, because each needs seconds.
///
/// @param queues reached by the stack itself
/// @param queuesEndpoint for functions and runners
/// @param queueUrls by logical id
public record Emulators(
    Tables tables, Queues queues, URI queuesEndpoint, Map<String, String> queueUrls) {

  /// Starts both and creates what the template declares.
  ///
  /// @param access checked by the embedded emulators; one at another address accepts any call
  public static Emulators start(
      LocalOptions options,
      Optional<DataFolder> data,
      AccessCheck access,
      CompletableFuture<Blueprint> blueprint,
      Shutdown shutdown,
      Executor threads) {
    CompletableFuture<Tables> tables =
        CompletableFuture.supplyAsync(() -> shutdown.add(tables(options, data, access)), threads)
            .thenCombine(blueprint, Emulators::createTables);
    CompletableFuture<Emulators> all =
        CompletableFuture.supplyAsync(() -> queues(options, data, shutdown), threads)
            .thenCombine(
                blueprint, (queues, plan) -> Map.entry(queues, queues.create(plan.queues())))
            .thenCombine(
                tables,
                (queues, made) ->
                    new Emulators(
                        made,
                        queues.getKey(),
                        gate(options, queues.getKey(), access, shutdown),
                        queues.getValue()));
    try {
      CompletableFuture.allOf(tables, all).join();
      return all.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  private static Tables tables(
      LocalOptions options, Optional<DataFolder> data, AccessCheck access) {
    return options.endpoint().isPresent()
        ? new RemoteTables(options.endpoint().get())
        : new EmbeddedTables(data.map(DataFolder::tables), access);
  }

  private static Tables createTables(Tables tables, Blueprint plan) {
    plan.tables().forEach(tables::create);
    return tables;
  }

  private static URI gate(
      LocalOptions options, Queues queues, AccessCheck access, Shutdown shutdown) {
    return options.endpoint().isPresent()
        ? queues.endpoint()
        : shutdown.add(new QueueGate(queues.endpoint(), access)).endpoint();
  }

  private static Queues queues(LocalOptions options, Optional<DataFolder> data, Shutdown shutdown) {
    if (options.endpoint().isPresent()) {
      return shutdown.add(new Queues(options.endpoint().get()));
    }
    EmbeddedQueues embedded = shutdown.add(new EmbeddedQueues(data.map(DataFolder::queues)));
    return shutdown.add(new Queues(embedded.endpoint()));
  }
}
