import { readFile } from 'node:fs/promises';
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';
import { type Repeating, repeat } from './repeat.ts';

/** Receives the new value of a variable. A listener that rejects is called again: the other end may not know the new secret yet. */
export type UseNewText = (text: string) => Promise<void> | void;

export interface VariableChanges {
  /** Only a value from a file can change. A variable of the environment keeps its value from the start. */
  on(variable: string, use: UseNewText): void;
  close(): Promise<void>;
}

export const nothingChanges: VariableChanges = { on: () => undefined, close: () => Promise.resolve() };

/** Kubernetes itself needs about a minute to bring a changed Secret into a pod. */
const POLL_EACH_MS = 5_000;

interface Watched {
  variable: string;
  file: string;
  use: UseNewText;
  /** The value in use. */
  text: string;
  /** The value that was refused last, so that each refused value is logged once. */
  refused?: string | undefined;
}

/** Polls the files behind variables for values that differ from those of the start. */
export function watchVariables(
  files: ReadonlyMap<string, { file: string; text: string }>,
  { clock, log }: { clock: Clock; log: Log },
): VariableChanges {
  const watched: Watched[] = [];
  let polling: Repeating | undefined;

  const poll = async (): Promise<void> => {
    for (const entry of watched) await checkFile(entry, log);
  };

  return {
    on: (variable, use) => {
      const known = files.get(variable);
      if (!known) return;
      watched.push({ ...known, variable, use });
      polling ??= repeat(poll, { name: 'the poll for changed files', everyMs: POLL_EACH_MS, clock, log });
    },
    close: async () => polling?.close(),
  };
}

async function checkFile(entry: Watched, log: Log): Promise<void> {
  const { variable } = entry;
  // A file is missing for a moment while its folder is replaced. That is no change.
  const text = await readFile(entry.file, 'utf8').then(
    (content) => content.trimEnd(),
    () => entry.text,
  );
  if (text === entry.text || text === '') return;
  try {
    await entry.use(text);
    entry.text = text;
    entry.refused = undefined;
    log.info({ variable }, 'the changed file is in use');
  } catch (error) {
    if (entry.refused !== text)
      log.warn({ err: error, variable }, 'the changed file cannot be used yet; the value from before stays in use');
    entry.refused = text;
  }
}
