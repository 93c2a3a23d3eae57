/** One option of a command as data; `T` is what the command gets for it. */
export interface Option<T> {
  flags: string;
  description: string;
  required: boolean;
  fallback?: T;
  /** Reads one value. `before` is the result of earlier occurrences. Throws a UsageError. */
  read?(value: string, before: T | undefined): T;
}

/** The command line itself is wrong: the message says what to write instead. */
export class UsageError extends Error {}

const plain = (value: string) => value;

export const textOption = (flags: string, description: string): Option<string> => ({
  flags,
  description,
  required: true,
  read: plain,
});

export const optional = (flags: string, description: string): Option<string | undefined> => ({
  flags,
  description,
  required: false,
  read: plain,
});

export const flagOption = (flags: string, description: string): Option<boolean> => ({
  flags,
  description,
  required: false,
  fallback: false,
});

/** `--no-something`: true unless it is given. */
export const unless = (flags: string, description: string): Option<boolean> => ({
  flags,
  description,
  required: false,
});

export const repeated = (flags: string, description: string): Option<string[]> => ({
  flags,
  description,
  required: false,
  fallback: [],
  read: (value, before = []) => [...before, value],
});

export function oneOf<T extends string>(flags: string, description: string, choices: readonly T[]): Option<T> {
  return { flags, description, required: true, read: (value) => choose(value, choices) };
}

export function maybeOneOf<T extends string>(
  flags: string,
  description: string,
  choices: readonly T[],
): Option<T | undefined> {
  return { flags, description, required: false, read: (value) => choose(value, choices) };
}

export function someOfOption<T extends string>(flags: string, description: string, choices: readonly T[]): Option<T[]> {
  const read = (value: string) => value.split(',').map((part) => choose(part.trim(), choices));
  return { flags, description, required: true, read };
}

export const moment = (flags: string, description: string): Option<string | undefined> => ({
  flags,
  description,
  required: false,
  read: (value) => {
    const isDay = /^\d{4}-\d{2}-\d{2}$/.test(value);
    const isMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/.test(value);
    const time = isDay || isMoment ? Date.parse(value) : Number.NaN;
    if (Number.isNaN(time))
      throw new UsageError(`takes a date such as 2027-01-31 or 2027-01-31T00:00:00Z, not "${value}"`);
    return new Date(time).toISOString();
  },
});

export const wholeNumber = (flags: string, description: string, fallback: number): Option<number> => ({
  flags,
  description,
  required: false,
  fallback,
  read: (value) => {
    if (!/^[1-9]\d{0,8}$/.test(value)) throw new UsageError(`takes a whole number above 0, not "${value}"`);
    return Number(value);
  },
});

function choose<T extends string>(value: string, choices: readonly T[]): T {
  const chosen = choices.find((choice) => choice === value);
  if (chosen === undefined) throw new UsageError(`takes ${listed(choices)}, not "${value}"`);
  return chosen;
}

function listed(choices: readonly string[]): string {
  return `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
}
