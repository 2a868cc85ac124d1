package dev.runyard.runner.network;

import dev.runyard.core.event.SandboxApplied;
import dev.runyard.core.problem.Failure;
import dev.runyard.runner.isolation.Cell;
import dev.runyard.runner.isolation.NotEnforced;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// A cell whose processes reach this machine, and the hosts that a proxy leads to.
///
/// @param cell keeps the processes apart
/// @param begins where processes that confine themselves begin
/// @param proxy the way to hosts; empty for none
record ConfinedCell(Cell cell, Begins begins, Optional<HostProxy> proxy) implements Cell {
  private static final String HERE = "127.0.0.1,localhost,::1";

  @Override
  public Entrance enter(Path workingDir, Map<String, String> environment) throws IOException {
    Entrance entrance = cell.enter(workingDir, environment);
    Map<String, String> variables = new HashMap<>(entrance.variables().own());
    variables.putAll(proxies());
    return new Entrance(
        entrance.outer(),
        entrance.inner(),
        new Variables(variables, entrance.variables().late()),
        entrance.user(),
        entrance.from(),
        builder -> begins.start(builder, starter(entrance)));
  }

  private static Starter starter(Entrance entrance) {
    return entrance.user().<Starter>map(user -> user::startForRunner).orElse(entrance.starter());
  }

  /// The variables by which programs find a proxy, in both spellings that are in use.
  private Map<String, String> proxies() {
    Map<String, String> variables = new HashMap<>();
    proxy.ifPresent(
        way -> {
          for (String name : new String[] {"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"}) {
            variables.put(name, way.address());
            variables.put(name.toLowerCase(java.util.Locale.ROOT), way.address());
          }
          variables.put("NO_PROXY", HERE);
          variables.put("no_proxy", HERE);
        });
    return variables;
  }

  @Override
  public Watching watch(Consumer<Failure> reached) {
    return cell.watch(reached);
  }

  @Override
  public Optional<SandboxApplied> told() {
    return cell.told()
        .map(
            told ->
                new SandboxApplied(
                    told.level(),
                    told.reason(),
                    told.uid(),
                    told.limits(),
                    told.files(),
                    proxy.isPresent() ? "hosts" : "none",
                    told.notEnforced().stream()
                        .filter(what -> !what.equals(NotEnforced.NETWORK))
                        .toList()));
  }

  @Override
  public boolean replacesSandbox() {
    return cell.replacesSandbox();
  }

  @Override
  public boolean close() {
    boolean closed = cell.close();
    proxy.ifPresent(HostProxy::close);
    return closed;
  }
}
