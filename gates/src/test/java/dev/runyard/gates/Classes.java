package dev.runyard.gates;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/// The compiled classes of all modules, which are looked for where Maven puts them. Of a copy of
/// the repository, only what its changed source is compiled to.
final class Classes {
  /// What is deployed or helps to test it.
  static final JavaClasses MAIN = ofModules("main", "classes");

  private static final JavaClasses TESTS = ofModules("test", "test-classes");

  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

  /// Knows the class path from the first source on.
  private static final StandardJavaFileManager FILES =
      COMPILER.getStandardFileManager(null, null, null);

  private Classes() {}

  static JavaClasses main(Repository repository) {
    return repository.changed().isEmpty() ? MAIN : planted(repository);
  }

  static JavaClasses tests(Repository repository) {
    return repository.changed().isEmpty() ? TESTS : planted(repository);
  }

  private static JavaClasses ofModules(String sources, String built) {
    List<Path> folders =
        modules().stream()
            .filter(module -> hasCode(module + "/src/" + sources + "/java/"))
            .map(module -> Repository.HOME.resolve(module).resolve("target").resolve(built))
            .toList();
    folders.stream()
        .filter(folder -> !Files.isDirectory(folder))
        .forEach(
            folder -> {
              throw new AssertionError("nothing is compiled in " + folder);
            });
    return new ClassFileImporter().importPaths(folders);
  }

  private static List<String> modules() {
    return Pattern.compile("<module>(.+)</module>")
        .matcher(Repository.OURS.text("pom.xml"))
        .results()
        .map(module -> module.group(1))
        .toList();
  }

  private static boolean hasCode(String folder) {
    return Repository.OURS.files(".java").stream()
        .anyMatch(file -> file.startsWith(folder) && !file.endsWith("package-info.java"));
  }

  private static JavaClasses planted(Repository repository) {
    try {
      Path folder = Files.createTempDirectory("planted");
      repository.changed().forEach((_, source) -> compile(source, folder));
      JavaClasses classes = new ClassFileImporter().importPath(folder);
      try (Stream<Path> files = Files.walk(folder)) {
        files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
      }
      return classes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// One at a time, since all share the class path.
  private static synchronized void compile(String source, Path folder) {
    var unit =
        new SimpleJavaFileObject(URI.create("string:///Planted.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    StringWriter errors = new StringWriter();
    List<String> options = List.of("-d", folder.toString(), "-proc:none");
    if (!COMPILER.getTask(errors, FILES, null, options, null, List.of(unit)).call()) {
      throw new IllegalStateException(errors.toString());
    }
  }
}
