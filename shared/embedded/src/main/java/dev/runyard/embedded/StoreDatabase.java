package dev.runyard.embedded;

import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/// The database of a store: read by many, written by one. Thread-safe.
final class StoreDatabase implements AutoCloseable {
  private final StoreFolder folder;
  private final ConnectionSource connections;
  private final StoreWriter writer;
  private final StoreReaders readers;
  private final Doorbell appends = new Doorbell();
  private final Doorbell changes = new Doorbell();
  private final Doorbell messages = new Doorbell();
  private final StreamBells streams = new StreamBells();
  private final StreamListeners listeners = new StreamListeners();
  private final ConcurrentMap<String, Long> positions = new ConcurrentHashMap<>();
  private final RecentChunks recent = new RecentChunks();

  private StoreDatabase(
      StoreFolder folder, ConnectionSource connections, StoreConnection first, boolean sync) {
    this.folder = folder;
    this.connections = connections;
    this.writer = new StoreWriter(first, () -> writer(folder, connections, sync));
    this.readers = new StoreReaders(() -> StoreConnection.reader(connections.open(folder.file())));
  }

  /// Opens the database of a folder, and makes or upgrades it where needed.
  ///
  /// @throws StoreRefused when it cannot be used
  static StoreDatabase open(
      StoreFolder folder, ConnectionSource connections, StoreFormat format, boolean sync) {
    try {
      StoreConnection first = writer(folder, connections, sync);
      try {
        format.prepare(first);
      } catch (SQLException | RuntimeException e) {
        first.close();
        throw e;
      }
      StoreDatabase database = new StoreDatabase(folder, connections, first, sync);
      database.writer.start();
      return database;
    } catch (SQLException e) {
      throw new StoreRefused(StoreFault.message("The store cannot be opened", e), e);
    }
  }

  private static StoreConnection writer(
      StoreFolder folder, ConnectionSource connections, boolean sync) throws SQLException {
    return StoreConnection.writer(connections.open(folder.file()), sync);
  }

  <T> T read(String call, Access<T> access) {
    return readers.read(call, access);
  }

  <T> T write(String call, Access<T> access, Bell... bells) {
    return writer.write(call, access, bells);
  }

  void writeLater(String what, Access<?> access) {
    writer.writeLater(what, access);
  }

  /// How far each consumer of the change feed has come, as far as it was asked since the start.
  ConcurrentMap<String, Long> positions() {
    return positions;
  }

  /// Rung after an append.
  Doorbell appends() {
    return appends;
  }

  /// Rung after an append that changed a stream's state.
  Doorbell changes() {
    return changes;
  }

  /// Rung after a message was sent, shown again or moved.
  Doorbell messages() {
    return messages;
  }

  /// Rung after an append to a stream that somebody waits for.
  StreamBells streams() {
    return streams;
  }

  /// Told of each append to a stream that they work on.
  StreamListeners listeners() {
    return listeners;
  }

  RecentChunks recent() {
    return recent;
  }

  StoreWriter writer() {
    return writer;
  }

  /// A connection of its own, for something that takes long.
  StoreConnection copier() throws SQLException {
    return StoreConnection.copier(connections.open(folder.file()));
  }

  /// Lets reads and writes that are under way end, leaves the file whole, and wakes who waits.
  @Override
  public void close() {
    readers.close();
    writer.close();
    List.of(appends, changes, messages).forEach(Doorbell::ring);
    streams.ringAll();
  }
}
