package dev.runyard.cli;

import dev.runyard.cli.doctor.Check;
import dev.runyard.cli.doctor.Doctor;
import dev.runyard.cli.doctor.Programs;
import dev.runyard.cli.show.SafeText;
import dev.runyard.cli.show.Style;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "doctor",
    description = "Look for what Runyard uses on this machine.",
    footer = {"", "Exit status 0 when all that 'up' and 'demo' need is there, otherwise 1."})
final class DoctorCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private OutputOption output = new OutputOption();

  DoctorCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    List<Check> checks =
        new Doctor(new Programs(terminal.env()), CacheFolder.of(terminal.env())).examine();
    boolean ready = checks.stream().allMatch(check -> check.ok() || !check.required());
    if (output.json()) {
      terminal.json(Map.of("ready", ready, "checks", checks));
    } else {
      checks.forEach(check -> terminal.line(line(check, terminal.style())));
      terminal.line(ready ? "ready: 'up' and 'demo' have what they need" : "not ready");
    }
    return ready ? ExitCode.DONE : ExitCode.FAILED;
  }

  private static String line(Check check, Style style) {
    String state =
        check.ok()
            ? style.good("ok       ")
            : check.required() ? style.bad("missing  ") : style.dim("not found");
    String facts =
        check.ok()
            ? SafeText.line((check.version() == null ? "" : check.version() + "  ") + check.where())
            : check.purpose() + "; to get it: " + check.hint();
    return "%s  %-9s %s".formatted(state, check.name(), facts);
  }
}
