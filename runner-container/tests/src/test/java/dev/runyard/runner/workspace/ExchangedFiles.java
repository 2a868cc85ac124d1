package dev.runyard.runner.workspace;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Files of which one is exchanged for a link once it has been checked and before it is opened, as
/// somebody could whom an agent let into its folders.
///
/// @param name of what is exchanged
/// @param file its path
/// @param moved where it is then
/// @param target of the link
public record ExchangedFiles(String name, Path file, Path moved, Path target)
    implements StoredFiles {
  @Override
  public boolean keeps(String text) {
    if (text.equals(name)) {
      try {
        Files.move(file, moved);
        Files.createSymbolicLink(file, target);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return true;
  }

  @Override
  public InputStream content(InputStream content) {
    return content;
  }

  @Override
  public boolean altered(String text) {
    return false;
  }

  @Override
  public int changed() {
    return 0;
  }
}
