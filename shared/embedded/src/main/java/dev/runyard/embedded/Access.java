package dev.runyard.embedded;

import java.sql.SQLException;

/// Something that is done with a connection. As part of a write it may be done again on another
/// one, so it changes nothing but the database.
@FunctionalInterface
interface Access<T> {
  T with(StoreConnection connection) throws SQLException;
}
