package dev.runyard.runner.checkout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.WorkspaceSource;
import dev.runyard.testkit.git.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Repositories made to do harm where they are checked out.
@Execution(ExecutionMode.CONCURRENT)
final class HostileRepositoryTest {
  /// Git itself does not send some of them.
  private static final Set<String> REFUSALS =
      Set.of(Failure.REPOSITORY_REFUSED, Failure.WORKSPACE_TOO_LARGE, Failure.CLONE_FAILED);

  @TempDir private Path folder;

  @Test
  void isRefusedWithoutAFileOfItWritten() throws Exception {
    Path outside = outside();
    HostileRepositories hostile = new HostileRepositories(outside, folder.resolve("ran"));
    Map<String, String> wrong = new TreeMap<>();
    try (CheckoutRig rig = new CheckoutRig(folder)) {
      int i = 0;
      for (Map.Entry<String, HostileRepositories.Tree> each : hostile.refused().entrySet()) {
        Checkout.Order order = order(rig, "refused" + i++, each.getValue());
        Checkout.Result result = rig.checkouts().write(order);
        boolean refused =
            result instanceof Checkout.Result.Refused(Failure failure)
                && REFUSALS.contains(failure.code());
        if (!refused || !listed(order.workspace()).isEmpty()) {
          wrong.put(each.getKey(), result + " " + listed(order.workspace()));
        }
      }
      assertTrue(i >= 50, String.valueOf(i));
    }
    assertEquals(Map.of(), wrong);
    unharmed(outside);
  }

  @Test
  void isOnlyFilesWhereItIsCheckedOut() throws Exception {
    Path outside = outside();
    HostileRepositories hostile = new HostileRepositories(outside, folder.resolve("ran"));
    try (CheckoutRig rig = new CheckoutRig(folder)) {
      int i = 0;
      for (Map.Entry<String, HostileRepositories.Tree> each : hostile.harmless().entrySet()) {
        Checkout.Order order = order(rig, "harmless" + i++, each.getValue());
        Path workspace = rig.done(order).base().workspace();
        assertFalse(listed(workspace).isEmpty(), each.getKey());
        Path git = workspace.resolve(".git");
        assertTrue(Files.isDirectory(git, LinkOption.NOFOLLOW_LINKS), each.getKey());
        assertFalse(Files.exists(git.resolve("hooks")), each.getKey());
        assertFalse(Files.readString(git.resolve("config")).contains("touch"), each.getKey());
      }
    }
    unharmed(outside);
  }

  /// Whatever is asked for, each ends as files or with a clear code.
  @Test
  void runsNothingWhenEverythingIsAskedFor() throws Exception {
    Path outside = outside();
    Path marker = folder.resolve("ran");
    HostileRepositories hostile = new HostileRepositories(outside, marker);
    Map<String, HostileRepositories.Tree> all =
        new TreeMap<>(new HostileSettings(outside, marker).trees());
    all.putAll(hostile.harmless());
    Map<String, String> wrong = new TreeMap<>();
    try (CheckoutRig rig = new CheckoutRig(folder)) {
      int i = 0;
      for (Map.Entry<String, HostileRepositories.Tree> each : all.entrySet()) {
        String name = "asked" + i++;
        order(rig, name, each.getValue());
        for (List<String> sparse : List.of(List.<String>of(), List.of("m", "d"))) {
          Checkout.Order order =
              rig.order(
                  new WorkspaceSource.Git(
                      rig.server.url(name), "main", 1, sparse, true, true, null));
          switch (rig.checkouts().write(order)) {
            case Checkout.Result.Refused(Failure failure)
                when REFUSALS.contains(failure.code()) -> {}
            case Checkout.Result.Refused(Failure failure) ->
                wrong.put(each.getKey(), failure.code());
            case Checkout.Result.Done done -> {
              Path git = done.base().workspace().resolve(".git");
              if (Files.exists(git.resolve("hooks"))
                  || Files.readString(git.resolve("config")).contains("touch")) {
                wrong.put(each.getKey(), "commands in " + git);
              }
            }
          }
        }
      }
      assertTrue(i >= 25, String.valueOf(i));
    }
    assertEquals(Map.of(), wrong);
    unharmed(outside);
  }

  @Test
  void takesNoRefOfAServerForAnOption() throws Exception {
    Path outside = outside();
    try (CheckoutRig rig = new CheckoutRig(folder)) {
      Repository repository = rig.repository("refs");
      repository.commit("a", "1");
      Path refs = repository.path().resolve(".git/refs/heads");
      String option = "--upload-pack=touch " + folder.resolve("ran");
      for (String name : List.of("-x", "a;touch x", "$(touch x)", option.replace('/', '_'))) {
        Files.copy(refs.resolve("main"), refs.resolve(name));
        Files.writeString(repository.path().resolve(".git/HEAD"), "ref: refs/heads/" + name + "\n");

        Checkout.Result result = rig.checkouts().write(rig.order(rig.source("refs", null)));

        boolean clear =
            switch (result) {
              case Checkout.Result.Done done ->
                  Files.readString(done.base().workspace().resolve("a")).equals("1");
              case Checkout.Result.Refused(Failure failure) ->
                  failure.code().equals(Failure.REF_NOT_FOUND)
                      || failure.code().equals(Failure.CLONE_FAILED);
            };
        assertTrue(clear, name + " " + result);
      }
    }
    unharmed(outside);
  }

  private static Checkout.Order order(CheckoutRig rig, String name, HostileRepositories.Tree tree)
      throws IOException {
    Repository repository = rig.repository(name);
    repository.commitTree(tree.in(repository));
    return rig.order(rig.source(name, "main"));
  }

  private Path outside() throws IOException {
    Path outside = Files.createDirectories(folder.resolve("outside"));
    Files.writeString(outside.resolve("kept"), "kept");
    return outside;
  }

  private void unharmed(Path outside) throws IOException {
    assertFalse(Files.exists(folder.resolve("ran")));
    assertEquals(List.of("kept"), listed(outside));
    assertEquals("kept", Files.readString(outside.resolve("kept")));
  }

  private static List<String> listed(Path path) throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      return files.map(file -> String.valueOf(file.getFileName())).toList();
    }
  }
}
