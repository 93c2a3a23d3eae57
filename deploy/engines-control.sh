#!/usr/bin/env bash
# Faults for the tests, given to the engines of compose.yaml: engines-control.sh stop|start|kill|pause|resume kafka|redis|mongo
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
verb=${1:-}
engine=${2:-}
declare -A services=([kafka]=kafka [redis]=valkey [mongo]=mongo)
service=${services[$engine]:-}
[ -n "$service" ] || { echo "usage: $0 stop|start|kill|pause|resume kafka|redis|mongo" >&2; exit 2; }
case $verb in
  start) docker compose -f compose.yaml up --detach --wait "$service" ;;
  stop | kill | pause) docker compose -f compose.yaml "$verb" "$service" ;;
  resume) docker compose -f compose.yaml unpause "$service" ;;
  *) echo "usage: $0 stop|start|kill|pause|resume kafka|redis|mongo" >&2; exit 2 ;;
esac
