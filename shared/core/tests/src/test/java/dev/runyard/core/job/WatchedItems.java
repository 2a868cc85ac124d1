package dev.runyard.core.job;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// What is stored of items, of which a test sees what is read and may lose some.
final class WatchedItems implements JobItems {
  private final JobItems behind;
  private final List<String> read = new ArrayList<>();
  private final List<Integer> sizes = new ArrayList<>();
  private Predicate<String> lost = _ -> false;

  WatchedItems(JobItems behind) {
    this.behind = behind;
  }

  /// What was read since this was asked last: names of requests, and rows as `first+limit`.
  List<String> read() {
    List<String> all = List.copyOf(read);
    read.clear();
    return all;
  }

  /// The bytes of each write of requests.
  List<Integer> sizes() {
    return List.copyOf(sizes);
  }

  /// From here on the requests under these names are not kept any more.
  void lose(Predicate<String> names) {
    lost = names;
  }

  @Override
  public void put(JobKey job, String name, byte[] requests) {
    sizes.add(requests.length);
    behind.put(job, name, requests);
  }

  @Override
  public Optional<byte[]> requests(JobKey job, String name) {
    read.add(name);
    return lost.test(name) ? Optional.empty() : behind.requests(job, name);
  }

  @Override
  public void save(JobKey job, List<ItemRow> rows) {
    behind.save(job, rows);
  }

  @Override
  public Optional<ItemRow> row(JobKey job, int item) {
    return behind.row(job, item);
  }

  @Override
  public List<ItemRow> rows(JobKey job, int from, int limit) {
    read.add(from + "+" + limit);
    return behind.rows(job, from, limit);
  }
}
