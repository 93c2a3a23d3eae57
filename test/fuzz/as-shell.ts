import { curl, type Sent } from './send.ts';
import type { Kind } from './values.ts';

/** An id or a cursor, and its path in the answer. */
export interface Named {
  kind: Kind;
  id: string;
  field: string;
}

/** A request, and the ids and cursors in its answer. */
export interface Asked {
  sent: Sent;
  made: Named[];
}

const LISTS: Partial<Record<Kind, string>> = { mailbox: '/mailboxes', email: '/emails' };
const pick = (field: string) => `node -pe "JSON.parse(require('fs').readFileSync(0)).${field}"`;

/**
 * The lines that ask the same again. Ids differ from workspace to workspace: what was there before is looked up, what was
 * made is read off its answer, and later lines say its variable.
 */
export function asShell(given: Named[], asked: Asked[]): string {
  const variables = variablesFor([...given, ...asked.flatMap(({ made }) => made)]);
  const lines = asked.map(({ sent }) => withVariables(curl(sent), variables));
  const isUsedAfter = (at: number, id: string) =>
    lines.slice(at + 1).some((line) => line.includes(`"$${variables.get(id)}"`));
  const found = given
    .filter(({ id }) => isUsedAfter(-1, id))
    .map(({ kind, id, field }) => {
      const list = `curl -sS -H "authorization: Bearer $READ_KEY" "$API${LISTS[kind]}"`;
      return `${variables.get(id)}=$(${list} | ${pick(field)})`;
    });
  const repeated = lines.flatMap((line, at) => {
    const used = (asked[at]?.made ?? []).filter(({ id }) => isUsedAfter(at, id));
    if (used.length === 0) return `${line} -i`;
    const read = used.map(({ id, field }) => `${variables.get(id)}=$(printf %s "$ANSWER" | ${pick(field)})`);
    return [`ANSWER=$(${line} -sS); printf '%s\\n' "$ANSWER"`, ...read];
  });
  return ['# API, SEND_KEY, READ_KEY: of a workspace with a mailbox and some mail', ...found, ...repeated].join('\n');
}

function variablesFor(all: Named[]): Map<string, string> {
  const variables = new Map<string, string>();
  const counts: Partial<Record<Kind, number>> = {};
  for (const { kind, id } of all) {
    if (variables.has(id)) continue;
    const count = (counts[kind] ?? 0) + 1;
    counts[kind] = count;
    variables.set(id, `${kind.toUpperCase()}_${count}`);
  }
  return variables;
}

/** Ids stand between single quotes, which are left for them. */
function withVariables(line: string, variables: Map<string, string>): string {
  let named = line;
  for (const [id, variable] of variables) named = named.replaceAll(id, `'"$${variable}"'`);
  return named;
}
