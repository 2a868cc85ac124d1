package dev.runyard.core.read;

import dev.runyard.core.agentcommunication.AcpView;
import dev.runyard.core.view.HubView;
import dev.runyard.core.view.RuntimeView;
import dev.runyard.core.view.View;
import dev.runyard.core.view.agentapi.AgentApiView;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/// The protocols in which a reader may get a run's events.
public enum Protocol {
  RUNTIME(RuntimeView.NAME),
  AGENT_API(AgentApiView.NAME),
  ACP(AcpView.NAME),
  HUB(HubView.NAME),
  LIME(RuntimeView.STRICT_NAME);

  private final String wire;

  Protocol(String wire) {
    this.wire = wire;
  }

  public static Optional<Protocol> of(String name) {
    return Arrays.stream(values()).filter(protocol -> protocol.wire.equals(name)).findFirst();
  }

  /// All names, for error messages.
  public static String names() {
    return Arrays.stream(values()).map(Protocol::wire).collect(Collectors.joining(", "));
  }

  public String wire() {
    return wire;
  }

  /// A view for one reader of one run.
  public View view() {
    return switch (this) {
      case RUNTIME -> RuntimeView.plain();
      case AGENT_API -> new AgentApiView();
      case ACP -> new AcpView();
      case HUB -> new HubView();
      case LIME -> RuntimeView.strict();
    };
  }
}
