package dev.runyard.core.stream;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/// What a reader of a log's events is told besides them: about its own reading, or about what else
/// can be read. No log has it. Each record is the payload of one type of the Agent Runtime
/// standard. Members are only ever added.
@JsonInclude(JsonInclude.Include.NON_NULL)
public sealed interface ToldFact {
  /// The name of its type.
  @JsonIgnore
  String type();

  /// The reader has all that was there when it came; what follows happens while it reads.
  ///
  /// @param after the sequence after which it began
  /// @param events how many it got
  record WindowLoaded(long after, long events) implements ToldFact {
    @Override
    public String type() {
      return "history.window.loaded";
    }
  }

  /// Events are not kept any more that the reader asked for, and nor is what they name.
  ///
  /// @param after the sequence after which they began
  /// @param first the sequence of the next event that is kept
  record Expired(long after, long first) implements ToldFact {
    @Override
    public String type() {
      return "output.expired";
    }
  }

  /// The events that the reader gets do not follow what it has: what it made of those must be read
  /// anew.
  ///
  /// @param snapshot the path of the resource that the log is about
  /// @param reason why
  /// @param last the sequence of the log's newest event, if the reader has later ones
  record Repaired(String snapshot, Reason reason, @Nullable Long last) implements ToldFact {
    @Override
    public String type() {
      return "snapshot.repaired";
    }
  }

  /// Why a reader cannot go on from where it is.
  enum Reason {
    /// The events after it are not kept any more.
    @JsonProperty("expired")
    EXPIRED,
    /// It has seen more than there is: another log, or one that was restored.
    @JsonProperty("ahead")
    AHEAD
  }

  /// What the log is about reads differently than before.
  ///
  /// @param snapshot the path of that resource
  record Updated(String snapshot) implements ToldFact {
    @Override
    public String type() {
      return "snapshot.updated";
    }
  }
}
