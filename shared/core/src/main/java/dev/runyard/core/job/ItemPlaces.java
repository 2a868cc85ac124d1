package dev.runyard.core.job;

/// How many items of a job may run at once whatever the job asks for, so that a run which somebody
/// waits for finds a place.
public record ItemPlaces(int most) {
  public static final ItemPlaces UNLIMITED = new ItemPlaces(Integer.MAX_VALUE);

  /// Those of a fleet that has so many places: nine tenths, and at least one.
  public static ItemPlaces of(int places) {
    return new ItemPlaces(Math.max(1, (int) (places * 9L / 10)));
  }

  /// How many more items may be started.
  ///
  /// @param wanted most that the job wants to run at once
  /// @param running those that run
  int room(int wanted, int running) {
    return Math.min(wanted, most) - running;
  }
}
