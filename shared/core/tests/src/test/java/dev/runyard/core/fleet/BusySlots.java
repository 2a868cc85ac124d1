package dev.runyard.core.fleet;

import dev.runyard.core.problem.PortUnavailable;

/// Slots to which others write just before somebody's own write.
class BusySlots implements Slots {
  private final Slots slots;
  private Runnable others = () -> {};
  private boolean always;
  private boolean answerLost;

  BusySlots(Slots slots) {
    this.slots = slots;
  }

  /// Others do this before the next write.
  void before(Runnable write) {
    others = write;
  }

  /// Others are faster than each write from now on.
  void always() {
    always = true;
  }

  /// The next write of a slot is done, and its writer not told.
  void loseAnswer() {
    answerLost = true;
  }

  @Override
  public Fleet read() {
    return slots.read();
  }

  @Override
  public boolean write(Slot slot) {
    boolean written = othersWrote() && slots.write(slot);
    if (answerLost) {
      answerLost = false;
      throw new PortUnavailable("the answer was lost");
    }
    return written;
  }

  @Override
  public boolean write(StartTrouble trouble) {
    return othersWrote() && slots.write(trouble);
  }

  private boolean othersWrote() {
    Runnable now = others;
    others = () -> {};
    now.run();
    return !always;
  }
}
