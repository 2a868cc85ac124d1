package dev.runyard.bench.kills;

import dev.runyard.bench.stack.Project;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// `./runyard job run`, as a user calls it.
///
/// @param folder to work in; what it says is kept there
/// @param items one a line
/// @param request what they have in common
/// @param results gets what came of each
record JobCommandLine(Path folder, Path items, Path request, Path results) {

  Process run(URI stack, String job, int concurrency) throws IOException {
    return started(
        stack,
        List.of(
            "--items",
            items.toString(),
            "--request",
            request.toString(),
            "--id",
            job,
            "--concurrency",
            String.valueOf(concurrency)));
  }

  Process resume(URI stack, String job) throws IOException {
    return started(stack, List.of("--resume", job));
  }

  private Process started(URI stack, List<String> options) throws IOException {
    List<String> command = new ArrayList<>(List.of(Project.launcher().toString(), "job", "run"));
    command.addAll(options);
    command.addAll(List.of("--watch", "--results", results.toString(), "--url", stack.toString()));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("command.txt").toFile()))
        .start();
  }
}
