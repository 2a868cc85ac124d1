package dev.runyard.runner.workspace;

import java.io.InputStream;

/// What is stored of an agent's files. It counts what it changes, so that somebody can be told.
public interface StoredFiles {
  /// Everything is stored as it is.
  StoredFiles AS_THEY_ARE =
      new StoredFiles() {
        @Override
        public boolean keeps(String text) {
          return true;
        }

        @Override
        public InputStream content(InputStream file) {
          return file;
        }

        @Override
        public boolean altered(String name) {
          return false;
        }

        @Override
        public int changed() {
          return 0;
        }
      };

  /// False for a file that is left out because of its name, or a link because of its target.
  boolean keeps(String text);

  /// What is stored of a file, with as many bytes as the file has.
  InputStream content(InputStream file);

  /// True for a file that was changed when it was stored before, and restored.
  boolean altered(String name);

  /// Files that were changed or left out so far.
  int changed();
}
