package dev.runyard.core.queue;

import dev.runyard.core.ids.RunKey;
import java.util.Optional;

/// The content of a message: a run, and, in a copy that replaces another message, when the run's
/// attempt had last written. As text it is the run's partition, followed, if there is a sighting,
/// by a space, the ticket, a space, and the beat.
///
/// @param last whether messages that are not may come before it; not in its text, since only a
///   queue cares
public record QueueMessage(RunKey run, Optional<Sighting> sighting, boolean last) {
  private static final String SEPARATOR = " ";
  private static final int WORDS_WITH_SIGHTING = 3;

  public QueueMessage(RunKey run, Optional<Sighting> sighting) {
    this(run, sighting, false);
  }

  public static QueueMessage of(RunKey run) {
    return new QueueMessage(run, Optional.empty());
  }

  /// The message of an item of a job, which waits while others' runs do.
  public static QueueMessage ofItem(RunKey run) {
    return new QueueMessage(run, Optional.empty(), true);
  }

  public String text() {
    return sighting
        .map(seen -> String.join(SEPARATOR, run.partition(), seen.ticket(), "" + seen.beat()))
        .orElseGet(run::partition);
  }

  /// The message with this text.
  ///
  /// @throws IllegalArgumentException when the text is no such message
  public static QueueMessage ofText(String text) {
    String[] words = text.split(SEPARATOR, -1);
    RunKey run = RunKey.ofPartition(words[0]);
    if (words.length == 1) {
      return of(run);
    }
    if (words.length != WORDS_WITH_SIGHTING) {
      throw new IllegalArgumentException("not a message: " + text);
    }
    return new QueueMessage(run, Optional.of(new Sighting(words[1], Long.parseLong(words[2]))));
  }
}
