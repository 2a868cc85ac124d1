package dev.runyard.simulator;

import java.util.List;
import java.util.Locale;

/// A right that a role may have, as fine as a policy can name it: a call of a port.
enum Right {
  EVENTS_READ,
  EVENTS_APPEND,
  MODELS_SNAPSHOT,
  MODELS_SAVE,
  MODELS_LIST,
  MODELS_DUE,
  TURNS_READ,
  TURNS_WRITE,
  KEYS_BIND,
  USES_READ,
  USES_ALL,
  USES_ADMIT,
  USES_PLACE,
  USES_FREE,
  HELD_ADD,
  HELD_FIRST,
  HELD_REMOVE,
  QUEUE_SEND,
  QUEUE_RECEIVE,
  QUEUE_EXTEND,
  QUEUE_DELETE,
  QUEUE_DEPTH,
  DEADLETTERS_RECEIVE,
  DEADLETTERS_DELETE,
  STREAMFAILURES_SEND,
  STREAMFAILURES_RECEIVE,
  STREAMFAILURES_DELETE,
  FLEET_START,
  FLEET_LOOK,
  SLOTS_READ,
  SLOTS_WRITE,
  WAKEUPS_SEND,
  WAKEUPS_LAST,
  BUCKET_PUT,
  BUCKET_GET,
  BUCKET_FIND,
  BUCKET_REPLACE,
  BUCKET_DELETE;

  /// The rights that `advance` and `sweep` share.
  static final List<Right> DECIDING =
      List.of(
          EVENTS_READ,
          EVENTS_APPEND,
          MODELS_SNAPSHOT,
          TURNS_READ,
          TURNS_WRITE,
          QUEUE_SEND,
          QUEUE_DEPTH,
          FLEET_START,
          SLOTS_READ,
          SLOTS_WRITE);

  /// The rights without which `sweep` cannot save the models that `project` could not.
  static final List<Right> CATCHING_UP =
      List.of(
          EVENTS_READ,
          MODELS_SNAPSHOT,
          MODELS_SAVE,
          MODELS_DUE,
          STREAMFAILURES_RECEIVE,
          STREAMFAILURES_DELETE);

  /// The rights that a role needs, without those it shares.
  static List<Right> of(Role role) {
    return switch (role) {
      case API ->
          List.of(
              EVENTS_READ,
              EVENTS_APPEND,
              MODELS_SNAPSHOT,
              MODELS_LIST,
              TURNS_READ,
              TURNS_WRITE,
              KEYS_BIND,
              QUEUE_SEND,
              WAKEUPS_SEND);
      case PROJECT -> List.of(EVENTS_READ, MODELS_SNAPSHOT, MODELS_SAVE, STREAMFAILURES_SEND);
      case ADVANCE -> List.of(STREAMFAILURES_SEND);
      case SWEEP ->
          List.of(
              MODELS_SAVE,
              MODELS_DUE,
              DEADLETTERS_RECEIVE,
              DEADLETTERS_DELETE,
              STREAMFAILURES_RECEIVE,
              STREAMFAILURES_DELETE,
              FLEET_LOOK);
      case RUNNER ->
          List.of(
              EVENTS_READ,
              EVENTS_APPEND,
              MODELS_SNAPSHOT,
              QUEUE_SEND,
              QUEUE_RECEIVE,
              QUEUE_EXTEND,
              QUEUE_DELETE,
              SLOTS_READ,
              SLOTS_WRITE,
              WAKEUPS_LAST,
              BUCKET_PUT,
              BUCKET_GET,
              BUCKET_FIND,
              BUCKET_REPLACE,
              BUCKET_DELETE);
      case DELIVER, NONE -> List.of();
    };
  }

  /// The right that a call of a port needs.
  static Right of(String port, String call) {
    return valueOf((port + "_" + call).toUpperCase(Locale.ROOT));
  }
}
