package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.functions.openapi.ApiDocument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A client in TypeScript whose types are generated from the description that a stack answers: it
/// is compiled, and plays a run. Needs Node.js with npm and its registry.
final class TypeScriptClientIT {
  private static final Path HOME =
      Path.of(Objects.requireNonNull(System.getProperty("runyard.home")));
  private static final Path SOURCES = HOME.resolve("system-tests/src/test/resources/typescript");
  private static final List<String> FILES =
      List.of("package.json", "package-lock.json", "tsconfig.json", "run.ts");

  @TempDir private Path folder;

  @Test
  void playsARun() throws Exception {
    Path client = HOME.resolve("system-tests/target/typescript-client");
    Files.createDirectories(client);
    for (String file : FILES) {
      Files.copy(SOURCES.resolve(file), client.resolve(file), StandardCopyOption.REPLACE_EXISTING);
    }
    run(
        client,
        "",
        List.of("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"));
    try (SystemStack stack = SystemStack.start(StackFolder.in(folder))) {
      String description = stack.api().text(stack.api().request("/openapi.json"));
      assertEquals(ApiDocument.text(), description);
      Files.writeString(client.resolve("openapi.json"), description);
      Path tools = client.resolve("node_modules/.bin");
      run(
          client,
          "",
          List.of(tools.resolve("openapi-typescript").toString(), "openapi.json", "-o", "api.ts"));
      run(client, "", List.of(tools.resolve("tsc").toString(), "-p", "."));

      assertEquals(
          List.of(
              "same true",
              "status completed true",
              "last task.completed",
              "events true",
              "streamed true",
              "text true",
              "refused 404 unknown_backend"),
          run(
              client,
              stack.api().token(),
              List.of("node", "run.js", stack.api().uri().toString().replaceAll("/$", ""))));
    }
  }

  private List<String> run(Path in, String token, List<String> command)
      throws IOException, InterruptedException {
    Path errors = Files.createTempFile(folder, "errors", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(in.toFile()).redirectError(errors.toFile());
    builder.environment().put("ACCESS_TOKEN", token);
    Process process = builder.start();
    List<String> lines = new ArrayList<>();
    try (var output = process.inputReader()) {
      output.lines().forEach(lines::add);
    }
    int status = process.waitFor();
    assertEquals(0, status, lines + "\n" + Files.readString(errors));
    return lines;
  }
}
