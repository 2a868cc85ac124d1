package dev.runyard.cli.folder;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// What a person has edited since a folder was packed.
public record PackedEdits(PackedFolder packed) implements FolderPatch.Edits {
  @Override
  public List<String> among(Set<String> paths) throws IOException {
    List<String> edited = new ArrayList<>();
    for (String path : paths) {
      Fingerprint was = packed.state().getOrDefault(path, Fingerprint.ABSENT);
      if (!Fingerprint.of(packed.folder().resolve(path)).equals(was)) {
        edited.add(path);
      }
    }
    return edited;
  }
}
