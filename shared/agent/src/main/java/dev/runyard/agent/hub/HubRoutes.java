package dev.runyard.agent.hub;

/// Knows the active runs of a hub and their inboxes.
public interface HubRoutes {
  /// Without any runs.
  HubRoutes NONE =
      new HubRoutes() {
        @Override
        public boolean toRun(String runId, String content) {
          return false;
        }

        @Override
        public boolean toAgent(String agentName, String content) {
          return false;
        }

        @Override
        public void end() {}
      };

  boolean toRun(String runId, String content);

  boolean toAgent(String agentName, String content);

  /// Every inbox ends.
  void end();
}
