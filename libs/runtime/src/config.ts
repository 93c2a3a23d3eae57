import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** An object schema whose keys are the names of environment variables: the part of zod's that is used here. */
export interface ConfigSchema<C> {
  readonly shape: Readonly<Record<string, unknown>>;
  parse(values: unknown): C;
  safeParse(values: unknown): { data?: C | undefined; error?: { issues: z.core.$ZodIssue[] } | undefined };
}

/** Every missing and every wrong variable in one message, so that nobody fixes them one restart at a time. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The configuration is not usable:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/** Reads the variables a schema names, from `NAME` or from the file that `NAME_FILE` names, or throws a ConfigError. */
export function readConfig<C>(schema: ConfigSchema<C>, env: NodeJS.ProcessEnv = process.env): C {
  const faults: string[] = [];
  const values: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const found = lookup(name, env);
    if (found.fault) faults.push(found.fault);
    if (found.value !== undefined) values[name] = found.value;
  }

  const { data, error } = schema.safeParse(values);
  if (!error && faults.length === 0) return data as C;
  const wrong = error?.issues.map((issue) => describeIssue(issue, values)) ?? [];
  // The error names a variable with an unreadable file once, by its file.
  const unnamed = wrong.filter((line) => !faults.some((fault) => fault.startsWith(`${line.split(' ')[0]}_FILE `)));
  throw new ConfigError([...faults, ...unnamed]);
}

/** The files behind the variables that a schema names, with their present content. */
export function filesBehind(
  schema: Pick<ConfigSchema<unknown>, 'shape'>,
  env: NodeJS.ProcessEnv = process.env,
): Map<string, { file: string; text: string }> {
  const found = Object.keys(schema.shape).flatMap((name) => {
    const file = env[`${name}_FILE`];
    const { value: text } = lookup(name, env);
    return file && text !== undefined ? [[name, { file, text }] as const] : [];
  });
  return new Map(found);
}

function lookup(name: string, env: NodeJS.ProcessEnv): { value?: string; fault?: string } {
  const own = env[name];
  const file = env[`${name}_FILE`];
  // An empty variable is how shells, compose files and charts say "not set".
  if (own && file) return { fault: `${name}_FILE and ${name} are both set; set one` };
  if (own) return { value: own };
  if (!file) return {};
  try {
    return { value: readFileSync(file, 'utf8').trimEnd() };
  } catch (error) {
    return { fault: `${name}_FILE names ${file}, which cannot be read (${(error as NodeJS.ErrnoException).code})` };
  }
}

// The value itself is never repeated: it may be a secret.
function describeIssue(issue: z.core.$ZodIssue, values: Record<string, string>): string {
  const name = String(issue.path[0] ?? '');
  if (name === '') return issue.message;
  return name in values ? `${name} is wrong: ${issue.message}` : `${name} is missing`;
}

/* The kinds of field. Each accepts the text of a variable, and in tests the value itself. */
const wholeNumber = (least: number, most: number, what: string) =>
  z
    .union([z.number(), z.string().regex(/^\d+$/, what).transform(Number)], what)
    .pipe(z.number().int(what).min(least, what).max(most, what));

/** 0 asks the system for a free one. */
export const port = wholeNumber(0, 65_535, 'expected a port, 0 to 65535');
export const count = wholeNumber(0, Number.MAX_SAFE_INTEGER, 'expected a whole number');
export const positive = wholeNumber(1, Number.MAX_SAFE_INTEGER, 'expected a whole number above 0');

/** A share of a whole, 0 to 1. */
export const ratio = z.coerce.number('expected a number from 0 to 1').min(0).max(1);

export const text = z.string().min(1);
/** A parser treats it as text. The name tells a reader to mount it from a file. */
export const secret = z.string().min(1);

/** `host:port`, or any address gRPC resolves, such as `dns:///name:port`. */
export const address = z.string().regex(/^([a-z0-9]+:)?[^\s]+:\d{1,5}$/i, 'expected host:port');

const withCommas = z.union([
  z.array(z.string()),
  z.string().transform((list) => (list.trim() === '' ? [] : list.split(',').map((item) => item.trim()))),
]);

/** `host:port` several times, with commas between. */
export const addresses = withCommas.pipe(
  z.array(z.string().regex(/^[^\s,]+:\d{1,5}$/, 'expected host:port, with commas between')).min(1),
);

/** Some of these names, with commas between. */
export const someOf = <const T extends string>(names: readonly T[]) =>
  withCommas.pipe(z.array(z.enum(names, `expected names out of ${names.join(', ')}, with commas between`)));

const isUrl = (written: string) => /^https?:\/\/\S+$/.test(written) && URL.canParse(written);
export const url = z.string().refine(isUrl, { error: 'expected an http or https address', abort: true });

/** An address that is asked by fetch, which takes no login in it, and repeats it in its error. */
export const fetchedUrl = url.refine((written) => {
  const { username, password } = new URL(written);
  return username === '' && password === '';
}, 'expected an address without a user and a password');

// A replica set's address lists several hosts, which no parser of ordinary addresses accepts.
export const mongoUri = z.string().regex(/^mongodb(\+srv)?:\/\/\S+$/, 'expected a mongodb:// address');
export const redisUrl = z.string().regex(/^rediss?:\/\/\S+$/, 'expected a redis:// address');

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `250ms`, `10s`, `5m`, `2h` or `1d`, read as milliseconds. */
export const duration = z.union(
  [
    z.number().min(0),
    z
      .string()
      .regex(/^\d+(ms|s|m|h|d)$/)
      .transform((written) => Number.parseInt(written, 10) * units[written.replace(/^\d+/, '') as keyof typeof units]),
  ],
  'expected a duration such as 500ms, 10s or 5m',
);

export const flag = z.union(
  [z.boolean(), z.enum(['true', '1', 'false', '0']).transform((written) => written === 'true' || written === '1')],
  'expected true or false',
);

export const logLevel = z.enum(
  ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
  'expected trace, debug, info, warn, error, fatal or silent',
);
