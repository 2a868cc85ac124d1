package dev.runyard.local.emulator;

import dev.runyard.local.events.TableStreams;
import dev.runyard.local.template.TableDeclaration;
import java.net.URI;

/// A DynamoDB that holds the stack's tables.
public sealed interface Tables extends AutoCloseable permits EmbeddedTables, RemoteTables {

  /// Where functions and runners reach it.
  URI endpoint();

  /// Creates the table with its indexes and stream; a table that is there stays as it is.
  void create(TableDeclaration table);

  TableStreams streams();

  @Override
  void close();
}
