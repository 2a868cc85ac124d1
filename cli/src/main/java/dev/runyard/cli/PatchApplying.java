package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.cli.folder.FolderPatch;
import dev.runyard.cli.show.SafeText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Applies the patch of a run to a person's files, and says what became of it.
record PatchApplying(Terminal terminal, String runId) {
  private static final int SHOWN_MAX = 20;

  /// Returns the exit status.
  int apply(FolderPatch folder, JsonNode patch) {
    try {
      if (patch.binaryValue().length == 0) {
        terminal.note("the run changed no file");
        return ExitCode.DONE;
      }
      Path kept = Files.createTempFile("runyard-" + runId + "-", ".patch");
      Files.write(kept, patch.binaryValue());
      try (Interruption _ = Interruption.unwinds()) {
        return said(folder, folder.apply(kept), kept);
      }
    } catch (IOException e) {
      terminal.note("runyard: the patch cannot be applied: " + e);
      return ExitCode.FAILED;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return ExitCode.CANCELLED;
    }
  }

  private int said(FolderPatch folder, FolderPatch.Applied result, Path kept) throws IOException {
    return switch (result) {
      case FolderPatch.Applied.Done(int files, List<String> edited, boolean merged) -> {
        Files.delete(kept);
        terminal.note(
            "%s %d files of %s"
                .formatted(merged ? "merged into" : "applied to", files, folder.folder()));
        if (!edited.isEmpty()) {
          terminal.note("you had edited some of them meanwhile; they have both now:");
          paths(edited);
        }
        yield ExitCode.DONE;
      }
      case FolderPatch.Applied.Conflict(List<String> edited) -> {
        terminal.note("runyard: nothing is applied: you have edited what the run changed");
        paths(edited);
        terminal.note("the patch is in " + kept);
        yield ExitCode.FAILED;
      }
      case FolderPatch.Applied.Refused(String said) -> {
        terminal.note("runyard: nothing is applied: git refuses the patch");
        terminal.note(SafeText.block(said));
        terminal.note("the patch is in " + kept);
        yield ExitCode.FAILED;
      }
      case FolderPatch.Applied.InTheWay(List<String> paths) -> {
        terminal.note(
            "runyard: nothing is applied: what the run made has no place, since it did not know of");
        paths(paths);
        terminal.note("the patch is in " + kept);
        yield ExitCode.FAILED;
      }
      case FolderPatch.Applied.Taken _ -> {
        terminal.note("runyard: nothing is applied: another command applies a patch there");
        terminal.note("the patch is in " + kept);
        yield ExitCode.FAILED;
      }
      case FolderPatch.Applied.Unfinished(Path before, Path of) -> {
        terminal.note(
            "runyard: nothing is applied: an earlier command was ended while it applied a patch to "
                + of);
        terminal.note(
            "what the files were before it is in %s; copy what you miss, then remove %s"
                .formatted(before, before.getParent()));
        terminal.note("the patch is in " + kept);
        yield ExitCode.FAILED;
      }
      case FolderPatch.Applied.Broken(String said, String why, Path before) -> {
        terminal.note("runyard: the patch is applied in part, and could not be undone");
        terminal.note(SafeText.block(said));
        terminal.note(SafeText.block(why));
        terminal.note(
            "what the files were before it is in %s; copy what you miss, then remove %s"
                .formatted(before, before.getParent()));
        terminal.note("the patch is in " + kept);
        yield ExitCode.FAILED;
      }
    };
  }

  private void paths(List<String> paths) {
    paths.stream().limit(SHOWN_MAX).forEach(path -> terminal.note("  " + SafeText.line(path)));
    if (paths.size() > SHOWN_MAX) {
      terminal.note("  and %d more".formatted(paths.size() - SHOWN_MAX));
    }
  }
}
