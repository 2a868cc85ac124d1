package dev.runyard.core.submit;

import dev.runyard.core.event.Requester;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.Problem;
import java.util.Optional;

/// What a new turn may do to the one that its thread has.
public interface RunningTurn {
  /// Nobody takes messages here, and nothing is ended.
  RunningTurn NONE =
      new RunningTurn() {
        @Override
        public Optional<Problem> tell(RunKey run, String content, String key, Requester by) {
          throw new IllegalStateException("no running turn can be told anything here");
        }

        @Override
        public boolean end(RunKey run, Requester by) {
          throw new IllegalStateException("no running turn can be ended here");
        }
      };

  /// Sends the run's agent a message, once for the key. Why that is refused, if it is.
  Optional<Problem> tell(RunKey run, String content, String key, Requester by);

  /// Ends the run, unless it has ended. False if there is no such run.
  boolean end(RunKey run, Requester by);
}
