#!/usr/bin/env bash
# Stands in for the Codex CLI: takes its arguments, reads a prompt of the form
#   lines COUNT PAUSE HOLD    COUNT lines of one event, PAUSE seconds between two
#   steps COUNT PAUSE HOLD    COUNT steps of five events, PAUSE seconds between two
# and prints JSON lines as Codex does. The text of each line begins with the time it is printed at,
# in seconds. HOLD seconds after the last line it ends. Asked for
#   attack NAME PORT SECONDS
# it becomes the script beside it.
read -r shape count pause hold
words=(the run reads a file and writes what it found into another while tests fail because one
  name changed in seven places so patch each then build again until all is green or time is over)

# Makes a new text. Without a subshell: its start would take longer than the line.
compose() {
  local i
  text=
  for ((i = 0; i < 35; i++)); do
    text+=" ${words[RANDOM % ${#words[@]}]}"
  done
  text=$EPOCHREALTIME$text
}

item() { printf '{"type":"item.%s","item":{"id":"%s","type":"%s",%s}}\n' "$@"; }

line() {
  compose
  item completed "r$1" reasoning "\"text\":\"$text\""
}

step() {
  local command="\"command\":\"grep -n $1 src/Main.java\""
  line "$1"
  compose
  item completed "m$1" agent_message "\"text\":\"$text\""
  item started "c$1" command_execution "$command,\"status\":\"in_progress\""
  sleep 0.1
  compose
  item completed "c$1" command_execution \
    "$command,\"aggregated_output\":\"$text\",\"exit_code\":0,\"status\":\"completed\""
}

printf '{"type":"thread.started","thread_id":"stand-in"}\n{"type":"turn.started"}\n'
[[ $shape != attack ]] || exec "${BASH_SOURCE[0]%/*}/attack.sh" "$count" "$pause" "$hold"
for ((i = 0; i < count; i++)); do
  ((i == 0)) || [[ $pause == 0 ]] || sleep "$pause"
  case $shape in
    lines) line "$i" ;;
    steps) step "$i" ;;
  esac
done
[[ $hold == 0 ]] || sleep "$hold"
printf '{"type":"turn.completed","usage":{"input_tokens":1,"cached_input_tokens":0,"output_tokens":1}}\n'
