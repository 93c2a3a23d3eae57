import { systemClock } from './clock.ts';
import { within } from './within.ts';

export interface Readiness {
  /** A check throws, or rejects, while its part cannot serve. */
  add(name: string, check: () => Promise<void> | void): void;
  /** Makes the process not ready from now on, whatever the checks say, so that it gets no new traffic. */
  drain(): void;
  onDrain(listener: () => void): void;
  check(): Promise<{ ready: boolean; failed: string[] }>;
}

/** A probe gives up after a few seconds, so a check that hangs counts as failed before that. */
const CHECK_LIMIT_MS = 2_000;

export function createReadiness(limitMs = CHECK_LIMIT_MS): Readiness {
  const checks = new Map<string, () => Promise<void> | void>();
  const listeners: (() => void)[] = [];
  let draining = false;

  return {
    add: (name, check) => {
      checks.set(name, check);
    },
    drain: () => {
      if (draining) return;
      draining = true;
      for (const listener of listeners) listener();
    },
    onDrain: (listener) => {
      listeners.push(listener);
    },
    check: async () => {
      if (draining) return { ready: false, failed: ['draining'] };
      const failed = (await Promise.all([...checks].map(([name, check]) => failureOf(name, check, limitMs)))).flat();
      return { ready: failed.length === 0 && !draining, failed };
    },
  };
}

async function failureOf(name: string, check: () => Promise<void> | void, limitMs: number): Promise<string[]> {
  try {
    await within({ ms: limitMs, clock: systemClock }, check);
    return [];
  } catch {
    return [name];
  }
}
