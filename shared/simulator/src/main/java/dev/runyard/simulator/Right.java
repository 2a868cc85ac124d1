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
  KEYS_BIND,
  USES_READ(Need.PLACES),
  USES_ALL(Need.PLACES),
  USES_ADMIT(Need.OTHERS),
  USES_PLACE(Need.PLACES),
  USES_FREE(Need.PLACES),
  HELD_ADD(Need.PLACES),
  HELD_FIRST(Need.PLACES),
  HELD_NEXTTENANT(Need.PLACES),
  HELD_REMOVE(Need.PLACES),
  QUEUE_SEND,
  QUEUE_RECEIVE,
  QUEUE_EXTEND,
  QUEUE_DELETE,
  QUEUE_DEPTH(Need.FLEET),
  DEADLETTERS_RECEIVE,
  DEADLETTERS_DELETE(Need.DEAD_LETTER),
  STREAMFAILURES_SEND(Need.POISON),
  STREAMFAILURES_RECEIVE,
  STREAMFAILURES_DELETE(Need.POISON),
  FLEET_START(Need.FLEET),
  FLEET_LOOK(Need.FLEET),
  SLOTS_READ(Need.FLEET),
  SLOTS_WRITE(Need.FLEET),
  WAKEUPS_SEND(Need.TASKS),
  WAKEUPS_LAST,
  BUCKET_PUT,
  BUCKET_GET,
  BUCKET_FIND,
  BUCKET_REPLACE,
  BUCKET_DELETE,
  ACCESSKEYS_ADD(Need.OTHERS),
  ACCESSKEYS_FIND(Need.OTHERS),
  ACCESSKEYS_LIST(Need.OTHERS),
  ACCESSKEYS_REVOKE(Need.OTHERS),
  ACCESSKEYS_USED(Need.OTHERS),
  HOOKS_FIND(Need.OTHERS),
  HOOKDELIVERIES_ADD(Need.OTHERS),
  WEBHOOKS_READ(Need.OTHERS),
  WEBHOOKS_WRITE(Need.OTHERS),
  DELIVERIES_ADD(Need.OTHERS),
  DELIVERIES_DUE(Need.OTHERS),
  DELIVERIES_FIND(Need.OTHERS),
  DELIVERIES_UPDATE(Need.OTHERS),
  DELIVERYQUEUE_SEND(Need.OTHERS),
  JOBMODELS_SNAPSHOT(Need.JOBS),
  JOBMODELS_SAVE(Need.JOBS),
  JOBMODELS_DUE(Need.JOBS),
  JOBITEMS_PUT(Need.JOBS),
  JOBITEMS_SAVE(Need.JOBS),
  JOBITEMS_ROW(Need.JOBS),
  JOBITEMS_REQUESTS(Need.JOBS),
  TASKS_SNAPSHOT(Need.TASKS),
  TASKS_SAVE(Need.TASKS),
  TASKS_DUE(Need.TASKS);

  private final Need need;

  Right() {
    this(Need.NOTHING);
  }

  Right(Need need) {
    this.need = need;
  }

  /// What a history must have for the right to be needed in it.
  enum Need {
    NOTHING,
    /// Runners that are started.
    FLEET,
    /// Runs that wait for a place of their tenant.
    PLACES,
    /// Other systems.
    OTHERS,
    JOBS,
    TASKS,
    /// A run on which the code of stream functions fails.
    POISON,
    /// A message in the dead-letter queue.
    DEAD_LETTER
  }

  Need need() {
    return need;
  }

  /// The rights that `advance` and `sweep` share.
  static final List<Right> DECIDING =
      List.of(
          EVENTS_READ,
          EVENTS_APPEND,
          MODELS_SNAPSHOT,
          TURNS_READ,
          QUEUE_SEND,
          QUEUE_DEPTH,
          FLEET_START,
          SLOTS_READ,
          SLOTS_WRITE,
          WAKEUPS_SEND,
          USES_PLACE,
          USES_FREE,
          HELD_ADD,
          HELD_FIRST,
          HELD_REMOVE,
          JOBMODELS_SNAPSHOT,
          JOBMODELS_SAVE,
          JOBITEMS_REQUESTS,
          JOBITEMS_SAVE,
          TASKS_SNAPSHOT,
          TASKS_SAVE);

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
              MODELS_SAVE,
              MODELS_LIST,
              TURNS_READ,
              KEYS_BIND,
              USES_ADMIT,
              USES_PLACE,
              HELD_ADD,
              QUEUE_SEND,
              WAKEUPS_SEND,
              ACCESSKEYS_ADD,
              ACCESSKEYS_FIND,
              ACCESSKEYS_LIST,
              ACCESSKEYS_REVOKE,
              ACCESSKEYS_USED,
              HOOKS_FIND,
              HOOKDELIVERIES_ADD,
              JOBMODELS_SNAPSHOT,
              JOBMODELS_SAVE,
              JOBITEMS_PUT,
              TASKS_SNAPSHOT,
              TASKS_SAVE);
      case PROJECT ->
          List.of(
              EVENTS_READ,
              MODELS_SNAPSHOT,
              MODELS_SAVE,
              STREAMFAILURES_SEND,
              WEBHOOKS_READ,
              DELIVERIES_ADD,
              DELIVERYQUEUE_SEND,
              JOBMODELS_SNAPSHOT,
              JOBMODELS_SAVE,
              JOBITEMS_ROW,
              JOBITEMS_SAVE,
              TASKS_SNAPSHOT,
              TASKS_SAVE);
      case ADVANCE -> List.of(STREAMFAILURES_SEND);
      case SWEEP ->
          List.of(
              MODELS_SAVE,
              MODELS_DUE,
              DEADLETTERS_RECEIVE,
              DEADLETTERS_DELETE,
              STREAMFAILURES_RECEIVE,
              STREAMFAILURES_DELETE,
              FLEET_LOOK,
              USES_ALL,
              HELD_NEXTTENANT,
              WEBHOOKS_READ,
              DELIVERIES_ADD,
              DELIVERIES_DUE,
              DELIVERIES_FIND,
              DELIVERIES_UPDATE,
              DELIVERYQUEUE_SEND,
              JOBMODELS_DUE,
              TASKS_DUE);
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
      case DELIVER ->
          List.of(
              WEBHOOKS_READ,
              WEBHOOKS_WRITE,
              DELIVERIES_FIND,
              DELIVERIES_UPDATE,
              DELIVERYQUEUE_SEND);
      case NONE -> List.of();
    };
  }

  /// The right that a call of a port needs.
  static Right of(String port, String call) {
    return valueOf((port + "_" + call).toUpperCase(Locale.ROOT));
  }
}
