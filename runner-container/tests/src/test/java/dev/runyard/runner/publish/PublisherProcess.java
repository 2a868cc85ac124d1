package dev.runyard.runner.publish;

import dev.runyard.core.agent.GitForges;
import dev.runyard.core.agent.GitServers;
import dev.runyard.core.agent.NetworkAccess;
import dev.runyard.core.change.KeptChange;
import dev.runyard.core.change.KeptChanges;
import dev.runyard.core.change.KeptObject;
import dev.runyard.core.change.Publication;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.memory.MemoryArtifactStore;
import dev.runyard.core.request.GitAddress;
import dev.runyard.core.request.PublishRequest;
import dev.runyard.core.request.WorkspaceSource;
import dev.runyard.runner.checkout.Checkout;
import dev.runyard.runner.checkout.Checkouts;
import dev.runyard.runner.checkout.PreparationSteps;
import dev.runyard.runner.process.ProcessLauncher;
import dev.runyard.runner.process.RunMark;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A process that publishes a change of a run and writes down what became of it, so that a test can
/// kill it.
final class PublisherProcess {
  private PublisherProcess() {}

  /// Takes, in this order: a folder, a run, a repository, the kind and the API of its server, a
  /// credential, the base commit and a file with the patch.
  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    RunKey run = new RunKey("acme", args[1]);
    WorkspaceSource.Git git = WorkspaceSource.Git.of(args[2], null);
    GitForges forges =
        new GitForges(
            Map.of(
                GitAddress.read(args[2]).orElseThrow().host(),
                new GitForges.Forge(GitForges.Kind.valueOf(args[3]), args[4])));
    KeptChanges store = new KeptChanges(new MemoryArtifactStore());
    byte[] patch = Files.readAllBytes(Path.of(args[7]));
    store.put(run, "a", "patch", patch);
    KeptChange change =
        new KeptChange(
            1,
            "a",
            args[6],
            List.of(),
            1,
            1,
            0,
            new KeptObject("patch", "changes.patch", patch.length, "", "text/x-patch"),
            null,
            List.of(),
            List.of(),
            0,
            null);
    GitServers servers =
        new GitServers(
            Optional.of(
                new NetworkAccess.Hosts(List.of(GitAddress.read(args[2]).orElseThrow().host()))),
            List.of());
    Checkouts checkouts =
        new Checkouts(
            folder,
            Map.of("PATH", System.getenv("PATH")),
            ProcessLauncher.onThisMachine(),
            new RunMark(run.runId(), "a"),
            new PreparationSteps(),
            new Checkouts.Terms(servers, InstantSource.system()));
    WorkspaceSource.Git source =
        new WorkspaceSource.Git(git.url(), null, 1, List.of(), false, false, "GIT");
    checkouts.again(
        new Checkout.Order(
            source, args[6], Optional.of(args[5]), Files.createDirectory(folder.resolve("w"))));
    Publication done =
        new Publishing(checkouts.git().orElseThrow(), store, forges)
            .publish(
                new Publishing.Order(
                    run,
                    run,
                    source,
                    new PublishRequest(
                        "fix/b",
                        null,
                        true,
                        new PublishRequest.PullRequest(null, null, null, false),
                        "GIT",
                        null,
                        null),
                    Optional.of(args[5])),
                change);
    Files.writeString(folder.resolve("done"), done.error() == null ? "published" : done.toString());
  }
}
