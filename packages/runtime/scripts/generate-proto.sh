#!/usr/bin/env bash
# Writes src/generated/move-payload.ts from proto/move-payload.proto. A test fails when the two differ.
set -euo pipefail
cd "$(dirname "$0")/.."
out="${1:-src/generated/move-payload.ts}"
{
  echo "// Generated from proto/move-payload.proto by scripts/generate-proto.sh; not for editing."
  printf 'export const movePayloadSchema = '
  npx pbjs -t json proto/move-payload.proto | tr -d '\r'
  echo ';'
} >"$out"
npx prettier --write --log-level warn "$out"
