package dev.runyard.cli;

import dev.runyard.cli.doctor.Check;
import dev.runyard.cli.doctor.Doctor;
import dev.runyard.cli.show.SafeText;
import dev.runyard.cli.show.Style;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "doctor",
    description = "Check this machine for what Runyard uses, and the stack that commands talk to.",
    footer = {
      "",
      "For the stack: how commands show who calls it, whether it lets them, what it takes from",
      "callers, whether its clock and this machine's agree, and whether both are of one release.",
      "For each agent: whether it is the version Runyard was tested with, and whether a key",
      "variable or a login for its model provider is present; neither is read.",
      "Exit status 0 when everything 'up' and 'demo' need is present, otherwise 1."
    })
final class DoctorCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private ServerOption server = new ServerOption();
  @Mixin private OutputOption output = new OutputOption();

  DoctorCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    List<Check> checks =
        new ArrayList<>(new Doctor(terminal.env(), CacheFolder.of(terminal.env())).examine());
    checks.add(new StackCheck(terminal, server).examine());
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
    return "%s  %-16s %s%s".formatted(state, check.name(), facts, agentFacts(check));
  }

  private static String agentFacts(Check check) {
    if (!check.ok() || check.tested() == null) {
      return "";
    }
    return (Boolean.TRUE.equals(check.tested())
            ? "  tested"
            : "  not the tested version: " + check.hint())
        + (Boolean.TRUE.equals(check.loggedIn()) ? ", logged in" : ", no key or login");
  }
}
