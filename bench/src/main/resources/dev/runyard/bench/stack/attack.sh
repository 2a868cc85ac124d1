#!/usr/bin/env bash
# What an agent might do to its neighbours: attack.sh NAME PORT SECONDS. Whatever of it has no end ends after SECONDS.
# Each but the first is as rude as it can be within the limits of an attempt, which end the next three.
name=$1 port=$2 seconds=$3
end=$((SECONDS + seconds))
case $name in
  short)
    sleep 0.3
    ;;
  forks)
    bomb() { bomb | bomb & }
    bomb
    sleep "$seconds"
    ;;
  file)
    head -c 10000000000 /dev/zero >big
    ;;
  memory)
    head -c 3500000000 /dev/zero | tail -c 3500000000 | wc -c >/dev/null
    ;;
  files)
    for ((i = 0; i < 100000; i++)); do : >"file$i"; done
    ;;
  loops)
    # Each in a session of its own, among which a kernel may share its processors.
    for ((i = 0; i < 4 * $(nproc); i++)); do
      setsid -f bash -c "end=\$((SECONDS + $seconds)); while ((SECONDS < end)); do :; done"
    done
    sleep "$seconds"
    ;;
  output)
    timeout "$seconds" yes '{"type":"item.completed","item":{"id":"r","type":"reasoning","text":"and another line"}}'
    ;;
  connections)
    while ((SECONDS < end)); do
      for ((i = 0; i < 500; i++)); do
        exec {held[i]}<>"/dev/tcp/127.0.0.1/$port" || break
      done
      for fd in "${held[@]}"; do exec {fd}>&-; done
      held=()
    done 2>/dev/null
    ;;
esac
printf '{"type":"turn.completed","usage":{"input_tokens":1,"cached_input_tokens":0,"output_tokens":1}}\n'
