package dev.runyard.core.fleet;

/// Slots to which others write just before somebody's own write.
class BusySlots implements Slots {
  private final Slots slots;
  private Runnable others = () -> {};
  private boolean always;

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

  @Override
  public Fleet read() {
    return slots.read();
  }

  @Override
  public boolean write(Slot slot) {
    return othersWrote() && slots.write(slot);
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
