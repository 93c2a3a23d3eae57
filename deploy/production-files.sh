#!/bin/bash
# The folders that workspaces need in production, of links both these and what they lead to: production-files.sh services/gateway
set -euo pipefail
npm ls --parseable --all --omit=dev "${@/#/--workspace=}" | tail -n +2 | while read -r folder; do
  realpath --no-symlinks --relative-to=. "$folder"
  realpath --relative-to=. "$folder"
done | sort -u
