package dev.runyard.runner.isolation;

import dev.runyard.runner.machine.ProcessStart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Who has a user of attempts, as its file says it.
///
/// @param uid the user; the file's name
/// @param runner the runner's process
/// @param stack the stack of whose process the runner is a part; empty if none
/// @param mark the attempt
/// @param folders what the user has of files
record UserClaim(int uid, ProcessStart runner, String stack, String mark, List<Path> folders) {
  private static final String RUNNER = "runner ";
  static final String STACK = "stack ";
  private static final String MARK = "mark ";
  private static final String FOLDER = "folder ";

  UserClaim {
    folders = List.copyOf(folders);
  }

  AgentUser user() {
    return new AgentUser(uid);
  }

  /// The same for this process.
  UserClaim taken() {
    return new UserClaim(uid, ProcessStart.self(), stack, mark, folders);
  }

  /// The same once its folders are its no more: whoever has them next may be at work in them.
  UserClaim emptied() {
    return new UserClaim(uid, runner, stack, mark, List.of());
  }

  String text() {
    StringBuilder text = new StringBuilder();
    text.append(RUNNER).append(runner.pid()).append(' ').append(runner.ticks()).append('\n');
    text.append(STACK).append(stack).append('\n');
    text.append(MARK).append(mark).append('\n');
    folders.forEach(folder -> text.append(FOLDER).append(folder).append('\n'));
    return text.toString();
  }

  /// Reads a file; a claim that says nothing is one that its writer did not finish, and nobody's.
  static UserClaim read(Path file) throws IOException {
    ProcessStart runner = new ProcessStart(0, 0);
    String stack = "";
    String mark = "";
    List<Path> folders = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith(RUNNER)) {
        String[] words = line.split(" ", 3);
        runner = new ProcessStart(Long.parseLong(words[1]), Long.parseLong(words[2]));
      } else if (line.startsWith(STACK)) {
        stack = line.substring(STACK.length());
      } else if (line.startsWith(MARK)) {
        mark = line.substring(MARK.length());
      } else if (line.startsWith(FOLDER)) {
        folders.add(Path.of(line.substring(FOLDER.length())));
      }
    }
    return new UserClaim(
        Integer.parseInt(String.valueOf(file.getFileName())), runner, stack, mark, folders);
  }
}
