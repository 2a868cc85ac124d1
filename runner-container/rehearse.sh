#!/bin/sh
# Makes an archive of the classes with which a runner starts, for -XX:SharedArchiveFile: starts a runner that reaches
# nothing, and stops it once it has asked for its slot. JAVA names the JVM, which has to be the one that starts runners.
# rehearse.sh RUNNER_JAR ARCHIVE
set -eu

java=$(command -v "${JAVA:-java}")
folder=$(mktemp -d)
said=$folder/said
: >"$said"
trap 'rm -rf "$folder"' EXIT

# Every variable that a runner must have is here; none leads anywhere.
env -i \
  AWS_REGION=none AWS_ENDPOINT_URL=http://127.0.0.1:9 AWS_ACCESS_KEY_ID=none AWS_SECRET_ACCESS_KEY=none AWS_MAX_ATTEMPTS=1 \
  RUNYARD_EVENTS_TABLE=events RUNYARD_VIEWS_TABLE=views RUNYARD_ARTIFACTS_BUCKET=artifacts \
  RUNYARD_RUN_QUEUE_URL=http://127.0.0.1:9/runs RUNYARD_AGENTS='{}' RUNYARD_AGENT_JARS= RUNYARD_RUNNERS_MIN=0 \
  RUNYARD_RUNNER_AGE_MAX_SECONDS=3600 RUNYARD_RUNS_PER_RUNNER=1 RUNYARD_FLUSH_MILLIS=200 RUNYARD_GATHER_MILLIS=1000 \
  RUNYARD_TAIL_MILLIS=1000 RUNYARD_IDLE_SECONDS=60 RUNYARD_AWAIT_GRACE_SECONDS=60 RUNYARD_RETENTION_DAYS=30 \
  RUNYARD_WORK_DIR="$folder" RUNYARD_KEEP_WORKSPACES=false RUNYARD_SLOT=0 RUNYARD_SLOT_CLAIM=rehearsal \
  "$java" -XX:TieredStopAtLevel=1 "-XX:ArchiveClassesAtExit=$2" -jar "$1" >"$said" 2>&1 &
runner=$!

until grep -q slot_unreachable "$said"; do
  kill -0 "$runner" 2>/dev/null || {
    cat "$said" >&2
    exit 1
  }
  sleep 0.1
done
kill "$runner"
wait "$runner" || true
test -s "$2"
