package dev.runyard.gates.pages;

import dev.runyard.gates.Repository;
import java.nio.file.Path;
import java.util.List;

/// Constants of the code by the names a page calls them, such as `Limits.PROMPT_BYTES_MAX`.
final class Constants {
  private static final Path JAVA = Path.of("src", "main", "java");

  private Constants() {}

  /// The value as text.
  static String value(String name) {
    int dot = name.indexOf('.');
    try {
      var field = type(name.substring(0, dot)).getDeclaredField(name.substring(dot + 1));
      field.setAccessible(true);
      return String.valueOf(field.get(null));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("no constant is called " + name, e);
    }
  }

  private static Class<?> type(String simpleName) throws ClassNotFoundException {
    List<Path> files =
        Repository.sources().stream()
            .filter(source -> source.endsWith(simpleName + ".java"))
            .filter(source -> source.toString().contains(JAVA.toString()))
            .toList();
    if (files.size() != 1) {
      throw new AssertionError("not one class is called " + simpleName + ": " + files);
    }
    String path = files.getFirst().toString();
    String inPackages =
        path.substring(path.indexOf(JAVA.toString()) + JAVA.toString().length() + 1);
    return Class.forName(inPackages.replace(".java", "").replace('/', '.'));
  }
}
