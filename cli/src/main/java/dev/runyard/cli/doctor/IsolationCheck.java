package dev.runyard.cli.doctor;

import dev.runyard.aws.Settings;
import dev.runyard.cli.demo.Folders;
import dev.runyard.runner.Wiring;
import dev.runyard.runner.isolation.Isolation;
import dev.runyard.runner.isolation.IsolationLevel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// What would keep runs apart on this machine, tried where `up` works unless it is told otherwise.
record IsolationCheck(Path cache, Map<String, String> env) {
  Check examine() {
    Wanted wanted =
        new Wanted(
            "isolation", false, "keeps runs apart", "docs/security.md says what each level needs");
    try {
      Path work = Files.createDirectories(cache.resolve("work"));
      Path folder = Files.createTempDirectory(work, "doctor-");
      try {
        Map<String, String> settings = new HashMap<>(env);
        settings.put(Settings.WORK_DIR, folder.toString());
        settings.putIfAbsent(Settings.ISOLATION, "auto");
        Isolation isolation = Wiring.isolation(settings, "");
        return isolation.level() == IsolationLevel.NONE
            ? Check.missing(
                new Wanted(wanted.name(), false, "none: " + isolation.reason(), wanted.hint()),
                null,
                null)
            : Check.found(wanted, isolation.text(), null);
      } finally {
        Folders.delete(folder);
      }
    } catch (IOException | RuntimeException e) {
      return Check.missing(
          new Wanted(wanted.name(), false, String.valueOf(e.getMessage()), wanted.hint()),
          null,
          null);
    }
  }
}
