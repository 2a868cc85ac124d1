package dev.runyard.runner.backend;

import dev.runyard.runner.workspace.AlteredFiles;
import dev.runyard.runner.workspace.StoredFiles;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/// Files in which other characters stand for secrets. One whose name contains a secret is left out.
final class RedactedFiles implements StoredFiles {
  private final SecretSearch bytes;
  private final AlteredFiles altered;
  private volatile int changed;

  RedactedFiles(SecretSearch bytes, AlteredFiles altered) {
    this.bytes = bytes;
    this.altered = altered;
  }

  @Override
  public boolean keeps(String text) {
    String characters =
        new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    boolean clean = bytes.replace(characters, false, _ -> "").text().equals(characters);
    if (!clean) {
      count();
    }
    return clean;
  }

  @Override
  public InputStream content(InputStream file) {
    return bytes.isEmpty() ? file : new RedactedFile(file, bytes, this::count);
  }

  @Override
  public boolean altered(String name) {
    return altered.has(name);
  }

  @Override
  public int changed() {
    return changed;
  }

  private synchronized void count() {
    changed++;
  }
}
