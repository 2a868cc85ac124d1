package dev.runyard.runner.backend.opencode;

import dev.runyard.runner.backend.cli.CliLaunch;
import dev.runyard.runner.backend.cli.PromptedCli;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The opencode agent, as `opencode run --format json`.
public final class OpencodeBackend extends PromptedCli {
  public OpencodeBackend() {
    super("opencode");
  }

  @Override
  protected Started prepare(CliLaunch launch) throws IOException {
    OpencodeSetup.login(launch);
    OpencodeSetup.write(launch, OpencodeSetup.config(launch));
    List<String> argv = launch.argv("opencode", "run", "--title", "run", "--format", "json");
    OpencodeSetup.model(launch).ifPresent(model -> argv.addAll(List.of("--model", model)));
    Map<String, String> env = new TreeMap<>();
    switch (launch.approval()) {
      case NONE -> env.put("OPENCODE_PERMISSION", "{\"edit\":\"deny\",\"bash\":\"deny\"}");
      case EDITS -> env.put("OPENCODE_PERMISSION", "{\"bash\":\"deny\"}");
      case ALL -> argv.add("--auto");
    }
    return new Started(
        argv,
        OpencodeSetup.environment(launch, env),
        new OpencodeStream(launch.callPrefix(), launch.model().orElse(null)));
  }
}
