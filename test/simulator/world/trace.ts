import { createHash } from 'node:crypto';

/** The story of one run. Equal runs have equal stories, byte for byte, and so equal hashes. */
export interface Trace {
  say(who: string, what: string): void;
  lines(): readonly string[];
  hash(): string;
}

const WHO_WIDTH = 18;

export function createTrace(now: () => number): Trace {
  const begun = now();
  const lines: string[] = [];
  return {
    say: (who, what) => {
      const seconds = ((now() - begun) / 1_000).toFixed(3).padStart(9);
      lines.push(`${seconds} s  ${who.padEnd(WHO_WIDTH)} ${what}`);
    },
    lines: () => lines,
    hash: () => createHash('sha256').update(lines.join('\n')).digest('hex'),
  };
}
