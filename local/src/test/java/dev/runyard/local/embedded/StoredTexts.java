package dev.runyard.local.embedded;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/// All that files of a folder contain, by where it stands: their bytes, the values of databases
/// among them, and what is compressed in these.
///
/// @param texts bytes as characters
record StoredTexts(Map<String, String> texts) {
  private static final byte[] DATABASE = "SQLite format 3".getBytes(StandardCharsets.US_ASCII);

  /// @param without name of a file that is not read
  static StoredTexts below(Path folder, String without) throws IOException, SQLException {
    Map<String, String> texts = new LinkedHashMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (!file.endsWith(without)) {
          String name = folder.relativize(file).toString();
          byte[] bytes = Files.readAllBytes(file);
          put(texts, name, bytes);
          if (begins(bytes, DATABASE)) {
            database(texts, name, file);
          }
        }
      }
    }
    return new StoredTexts(texts);
  }

  boolean has(String part) {
    return texts.values().stream().anyMatch(text -> text.contains(part));
  }

  private static void database(Map<String, String> texts, String name, Path file)
      throws SQLException {
    try (Connection database = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = database.createStatement()) {
      List<String> tables = new ArrayList<>();
      try (ResultSet found =
          statement.executeQuery("SELECT name FROM sqlite_master WHERE type = 'table'")) {
        while (found.next()) {
          tables.add(found.getString(1));
        }
      }
      for (String table : tables) {
        try (ResultSet rows = statement.executeQuery("SELECT * FROM \"" + table + "\"")) {
          int columns = rows.getMetaData().getColumnCount();
          for (int row = 1; rows.next(); row++) {
            for (int column = 1; column <= columns; column++) {
              byte[] value = rows.getBytes(column);
              if (value != null) {
                put(texts, "%s %s %d.%d".formatted(name, table, row, column), value);
              }
            }
          }
        }
      }
    }
  }

  private static void put(Map<String, String> texts, String name, byte[] bytes) {
    texts.put(name, text(bytes));
    inflated(texts, name + " inflated", bytes, false);
    inflated(texts, name + " inflated raw", bytes, true);
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(bytes))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        String at = name + " " + entry.getName();
        texts.put(at, entry.getName() + "\n" + text(zip.readAllBytes()));
      }
    } catch (IOException _) {
      // It is no archive.
    }
  }

  private static void inflated(Map<String, String> texts, String name, byte[] bytes, boolean raw) {
    Inflater inflater = new Inflater(raw);
    try (InflaterInputStream in =
        new InflaterInputStream(new ByteArrayInputStream(bytes), inflater)) {
      texts.put(name, text(in.readAllBytes()));
    } catch (IOException _) {
      // It is not deflated.
    } finally {
      inflater.end();
    }
  }

  private static boolean begins(byte[] bytes, byte[] with) {
    return bytes.length >= with.length
        && Arrays.equals(bytes, 0, with.length, with, 0, with.length);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
