package dev.runyard.cli.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// What a person has edited since a folder was packed. A folder is no edit: its files are.
public record PackedEdits(PackedFolder packed) implements FolderPatch.Edits {
  @Override
  public List<String> among(Set<String> paths) throws IOException {
    List<String> edited = new ArrayList<>();
    for (String path : paths) {
      Fingerprint was = packed.state().getOrDefault(path, Fingerprint.ABSENT);
      Path file = packed.folder().resolve(path);
      boolean isFolder = Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS);
      if (!(isFolder ? Fingerprint.ABSENT : Fingerprint.of(file)).equals(was)) {
        edited.add(path);
      }
    }
    return edited;
  }
}
