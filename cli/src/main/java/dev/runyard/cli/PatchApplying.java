package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.cli.folder.FolderPatch;
import dev.runyard.cli.show.SafeText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Applies the patch of a run to a person's files, and says what became of it.
record PatchApplying(Terminal terminal, String runId) {
  /// Returns the exit status.
  ///
  /// @param changes the list of what the run changed
  int apply(FolderPatch folder, JsonNode changes, JsonNode patch) {
    try {
      if (patch.binaryValue().length == 0) {
        terminal.note("the run changed no file");
        return ExitCode.DONE;
      }
      Path kept = Files.createTempFile("runyard-" + runId + "-", ".patch");
      Files.write(kept, patch.binaryValue());
      return said(folder, folder.apply(kept, renamed(changes)), kept);
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
    };
  }

  private void paths(List<String> paths) {
    paths.forEach(path -> terminal.note("  " + SafeText.line(path)));
  }

  private static Set<String> renamed(JsonNode changes) {
    Set<String> renamed = new TreeSet<>();
    for (JsonNode file : changes.path("files")) {
      if (file.has("from")) {
        renamed.add(file.path("from").asText());
      }
    }
    return renamed;
  }
}
