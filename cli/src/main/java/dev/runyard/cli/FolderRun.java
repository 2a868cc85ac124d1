package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.cli.client.NewRun;
import dev.runyard.cli.client.RunyardClient;
import dev.runyard.cli.client.ServerReply;
import dev.runyard.cli.folder.FolderFiles;
import dev.runyard.cli.folder.FolderPatch;
import dev.runyard.cli.folder.PackedEdits;
import dev.runyard.cli.folder.PackedFolder;
import dev.runyard.cli.show.SafeText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.ToIntFunction;

/// A run that begins with the files of a person's folder: packs and uploads them, and brings back
/// what the run changed.
///
/// @param folder as it was named
record FolderRun(Terminal terminal, RunyardClient client, Path folder) {
  private static final int SHOWN_MAX = 10;

  /// Submits the run and waits for it, if it is waited for.
  @FunctionalInterface
  interface Submitting {
    /// Returns the exit status.
    ///
    /// @param ended does what is to be done with the run's id when it has ended
    int with(NewRun.Uploaded upload, ToIntFunction<String> ended) throws InterruptedException;
  }

  /// Packs, uploads and submits.
  ///
  /// @param apply whether what the run changed is applied to the folder
  int send(Submitting submitting, boolean apply) throws InterruptedException {
    try {
      Path root = folder.toRealPath();
      FolderFiles files = FolderFiles.of(root);
      Path archive = Files.createTempFile("runyard", ".tar.gz");
      PackedFolder packed;
      ServerReply reply;
      try {
        packed = PackedFolder.pack(root, files, archive);
        say(files, packed);
        reply = client.upload(packed.bytes(), packed.sha256(), PackedFolder.FORMAT);
        if (reply instanceof ServerReply.Done(JsonNode place) && place.has("put")) {
          ServerReply put = client.put(place.path("put"), archive);
          reply = put instanceof ServerReply.Done ? reply : put;
        }
      } finally {
        Files.deleteIfExists(archive);
      }
      if (!(reply instanceof ServerReply.Done(JsonNode upload))) {
        return new Answers(terminal, false).on(reply, _ -> ExitCode.FAILED);
      }
      return submitting.with(
          new NewRun.Uploaded(upload.path("upload_id").asText()),
          runId -> apply ? applied(runId, packed) : ExitCode.DONE);
    } catch (FolderFiles.Unusable e) {
      terminal.note("runyard: " + e.getMessage());
      return ExitCode.USAGE;
    } catch (IOException e) {
      terminal.note("runyard: " + folder + " cannot be packed: " + e);
      return ExitCode.FAILED;
    }
  }

  private void say(FolderFiles files, PackedFolder packed) {
    terminal.note(
        String.format(
            Locale.ROOT,
            "packed %d %s of %s, %,d bytes",
            packed.state().size(),
            files.repository() ? "files that git tracks or would track" : "files, all",
            packed.folder(),
            packed.bytes()));
    if (!files.leftOut().isEmpty()) {
      terminal.note("left out:");
      files.leftOut().entrySet().stream()
          .limit(SHOWN_MAX)
          .forEach(
              left -> terminal.note("  " + SafeText.line(left.getKey()) + ": " + left.getValue()));
      if (files.leftOut().size() > SHOWN_MAX) {
        terminal.note("  and %d more".formatted(files.leftOut().size() - SHOWN_MAX));
      }
    }
  }

  private int applied(String runId, PackedFolder packed) {
    Answers answers = new Answers(terminal, false);
    return answers.on(
        client.changes(runId),
        changes -> {
          if (!changes.has("patch")) {
            terminal.note(
                "runyard: nothing is applied: the change is too large for a patch; all files are in"
                    + " ./runyard download %s --workspace".formatted(runId));
            return ExitCode.FAILED;
          }
          if (changes.path("left_out_total").asLong() > 0) {
            terminal.note("not all of it is in the patch: ./runyard changes " + runId);
          }
          return answers.on(client.patch(runId, false), patch -> applied(runId, packed, patch));
        });
  }

  private int applied(String runId, PackedFolder packed, JsonNode patch) {
    FolderPatch folder = new FolderPatch(packed.folder(), new PackedEdits(packed), false);
    return new PatchApplying(terminal, runId).apply(folder, patch);
  }
}
