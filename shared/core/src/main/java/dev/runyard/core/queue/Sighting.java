package dev.runyard.core.queue;

/// An open attempt as somebody saw it whom its message came to as well. It goes with the delayed
/// copy that is sent in the message's place: whoever gets that compares. An attempt that wrote
/// meanwhile lives, one that did not is dead, and no two clocks were compared to know it.
///
/// @param ticket the message id the attempt was claimed with
/// @param beat when the attempt had last written, in milliseconds of its own clock; only good for
///   being equal or not
public record Sighting(String ticket, long beat) {
  public Sighting {
    if (ticket.isEmpty() || ticket.chars().anyMatch(Character::isWhitespace)) {
      throw new IllegalArgumentException("not a ticket: " + ticket);
    }
  }
}
