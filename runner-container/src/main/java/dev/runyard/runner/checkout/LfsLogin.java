package dev.runyard.runner.checkout;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.GitAddress;
import dev.runyard.runner.process.AgentCommand;
import dev.runyard.runner.process.Line;
import dev.runyard.runner.process.Stdin;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Asks a server of ssh where a repository's contents of Git LFS are, with the command that such
/// servers have for that. What it says is a place like any other that a server names: https, on a
/// server that the operator lists, if there is a list.
///
/// @param address of ssh
/// @param access has the key
record LfsLogin(GitCommands git, GitAddress address, ServerAccess access, Allowance allowance) {
  /// Most bytes that it may say.
  static final int LFS_LOGIN_BYTES_MAX = 64 * 1024;

  private static final String COMMAND = "core.sshCommand";

  /// What it said.
  sealed interface Said {
    /// The place of the contents.
    ///
    /// @param endpoint with `href` and `header`
    record Place(JsonNode endpoint) implements Said {}

    record Not(Failure failure) implements Said {}
  }

  Said ask() throws IOException, InterruptedException {
    StringBuilder printed = new StringBuilder();
    PreparationSteps.Ended ended;
    try (GitAccess shown = access.to(address, git.folder())) {
      ended =
          git.steps()
              .run(
                  git.processes(),
                  new AgentCommand(
                      argv(String.valueOf(shown.settings().get(COMMAND))),
                      git.folder(),
                      Map.of(
                          "PATH",
                          git.variables().getOrDefault("PATH", ""),
                          "HOME",
                          git.folder().toString(),
                          "LC_ALL",
                          "C"),
                      new Stdin.Closed()),
                  git.mark(),
                  allowance.left(),
                  watch(printed));
    }
    if (!(ended instanceof PreparationSteps.Ended.Exited exited && exited.well())) {
      return new Said.Not(
          switch (ended) {
            case PreparationSteps.Ended.Stopped _ -> GitTrouble.STOPPED;
            case PreparationSteps.Ended.TimeOver _ -> GitTrouble.SLOW;
            case PreparationSteps.Ended _ -> LfsTrouble.NO_LOGIN;
          });
    }
    try {
      return new Said.Place(JsonFormat.JSON.readTree(printed.toString()));
    } catch (JsonProcessingException _) {
      return new Said.Not(LfsTrouble.NO_LOGIN);
    }
  }

  /// The shell is as git starts ssh; nothing of the address is a word of it.
  private List<String> argv(String ssh) {
    List<String> argv = new ArrayList<>(List.of("/bin/sh", "-c", ssh + " \"$@\"", "ssh"));
    int colon = address.host().indexOf(':');
    if (colon >= 0) {
      argv.addAll(List.of("-p", address.host().substring(colon + 1)));
    }
    String host = colon < 0 ? address.host() : address.host().substring(0, colon);
    argv.add("--");
    argv.add(address.user().isEmpty() ? host : address.user() + "@" + host);
    argv.add("git-lfs-authenticate " + quoted(path()) + " download");
    return argv;
  }

  /// The short form's path begins in the user's home.
  private String path() {
    return address.url().startsWith(GitAddress.SSH + "://") ? "/" + address.path() : address.path();
  }

  /// For the shell of the server, as git does it.
  private static String quoted(String word) {
    return "'" + word.replace("'", "'\\''").replace("!", "'\\!'") + "'";
  }

  private static PreparationSteps.Watch watch(StringBuilder printed) {
    return new PreparationSteps.Watch() {
      @Override
      public void line(Line line) {
        synchronized (printed) {
          switch (line) {
            case Line.Text(String text, boolean _) -> {
              if (printed.length() <= LFS_LOGIN_BYTES_MAX) {
                printed.append(text).append('\n');
              }
            }
            case Line.Oversize _ -> printed.setLength(LFS_LOGIN_BYTES_MAX + 1);
          }
        }
      }

      @Override
      public boolean tooMuch() {
        synchronized (printed) {
          return printed.length() > LFS_LOGIN_BYTES_MAX;
        }
      }
    };
  }
}
