package dev.runyard.gates.pages;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import dev.runyard.gates.Repository;
import java.util.List;

/// Constants of the code by the names a page calls them, such as `Limits.PROMPT_BYTES_MAX`.
final class Constants {
  private static final String JAVA = "src/main/java/";

  private Constants() {}

  /// The value as text.
  static String value(Repository repository, String name) {
    int dot = name.indexOf('.');
    return assertDoesNotThrow(
        () -> {
          var type = type(repository, name.substring(0, dot));
          var field = type.getDeclaredField(name.substring(dot + 1));
          field.setAccessible(true);
          return String.valueOf(field.get(null));
        },
        "no constant is called " + name);
  }

  private static Class<?> type(Repository repository, String simpleName)
      throws ClassNotFoundException {
    List<String> files =
        repository.files("/" + simpleName + ".java").stream()
            .filter(file -> file.contains(JAVA))
            .toList();
    if (files.size() != 1) {
      throw new AssertionError("not one class is called " + simpleName + ": " + files);
    }
    String path = files.getFirst();
    String inPackages = path.substring(path.indexOf(JAVA) + JAVA.length());
    return Class.forName(inPackages.replace(".java", "").replace('/', '.'));
  }
}
