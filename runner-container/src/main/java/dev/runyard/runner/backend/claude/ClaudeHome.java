package dev.runyard.runner.backend.claude;

import dev.runyard.core.problem.Failure;
import dev.runyard.runner.backend.AgentPrompt;
import dev.runyard.runner.backend.AgentTrouble;
import dev.runyard.runner.backend.SessionChoice;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The home of Claude Code: its configuration and its conversations, one file each, in a folder
/// named after the working directory.
record ClaudeHome(Path path) {
  /// Folder of the configuration within the home.
  static final String CONFIG = ".claude";

  /// Folder of the conversations within [#CONFIG].
  static final String PROJECTS = "projects";

  private static final int DEPTH = 2;
  private static final Pattern FILE =
      Pattern.compile("([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\\.jsonl");

  private record Held(String id, Path file, FileTime written) {}

  /// Creates the home if it is missing, for its owner only.
  static ClaudeHome prepare(Path path) throws IOException {
    Files.createDirectories(
        path.resolve(CONFIG),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    return new ClaudeHome(path);
  }

  Path config() {
    return path.resolve(CONFIG);
  }

  /// Finds the conversation a run asks for and puts it where Claude Code searches: it finds only
  /// conversations of its working directory, and each attempt has its own.
  ClaudeSession session(SessionChoice choice, Path workingDir) throws IOException {
    return switch (choice) {
      case SessionChoice.Fresh _ -> new ClaudeSession.Fresh();
      case SessionChoice.Last(boolean fork) ->
          known(
              held().stream().max(Comparator.comparing(Held::written)),
              fork,
              workingDir,
              "no session found");
      case SessionChoice.ById(String id, boolean fork) ->
          known(
              held().stream().filter(held -> held.id().equals(id)).findFirst(),
              fork,
              workingDir,
              "session not found");
    };
  }

  /// True when a message is part of a conversation that was found before.
  boolean holds(ClaudeSession.Known session, AgentPrompt word) throws IOException {
    for (Held held : held()) {
      if (held.id().equals(session.id())) {
        try (Stream<String> lines = Files.lines(held.file(), StandardCharsets.ISO_8859_1)) {
          return lines.anyMatch(line -> line.contains(word.id()));
        }
      }
    }
    return false;
  }

  private ClaudeSession known(Optional<Held> found, boolean fork, Path workingDir, String otherwise)
      throws IOException {
    if (found.isEmpty()) {
      Failure known = AgentTrouble.SESSION_NOT_FOUND.failure(ClaudeTrouble.AGENT);
      return new ClaudeSession.Missing(new Failure(known.code(), known.category(), otherwise));
    }
    Held held = found.get();
    Path folder = config().resolve(PROJECTS).resolve(folderOf(workingDir));
    if (!folder.equals(held.file().getParent())) {
      Files.createDirectories(folder);
      Files.move(held.file(), folder.resolve(held.file().getFileName()));
      Path beside = held.file().resolveSibling(held.id());
      if (Files.isDirectory(beside)) {
        Files.move(beside, folder.resolve(held.id()));
      }
    }
    return new ClaudeSession.Known(held.id(), fork);
  }

  /// The name Claude Code gives the folder of a directory.
  static String folderOf(Path workingDir) throws IOException {
    return workingDir.toRealPath().toString().replaceAll("[^a-zA-Z0-9]", "-");
  }

  private List<Held> held() throws IOException {
    List<Held> all = new ArrayList<>();
    Path projects = config().resolve(PROJECTS);
    if (Files.isDirectory(projects)) {
      try (Stream<Path> files = Files.walk(projects, DEPTH)) {
        for (Path file : files.toList()) {
          Matcher name = FILE.matcher(String.valueOf(file.getFileName()));
          if (name.matches()) {
            all.add(new Held(name.group(1), file, Files.getLastModifiedTime(file)));
          }
        }
      }
    }
    return all;
  }
}
