import type { Option } from './option.ts';
import type { CommandDeps } from './command-deps.ts';

type Options = Readonly<Record<string, Option<unknown>>>;
type Values<O extends Options> = { [K in keyof O]: O[K] extends Option<infer T> ? T : never };

/** The result of a command, for programs and for people. Exactly one of the two is printed. */
export interface CommandResult {
  json: unknown;
  lines?: readonly string[];
  table?: { head: readonly string[]; rows: readonly (readonly string[])[] };
  /** Set when the command did only a part of its work. */
  exitCode?: number;
}

/** One command as data. The program, its help and its error messages are derived from it. */
export interface Command {
  /** `['key', 'create']` is `postroom key create`. */
  path: readonly string[];
  summary: string;
  /** The arguments after the options. */
  operands?: { flags: string; description: string };
  options: Options;
  run(
    values: Readonly<Record<string, unknown>>,
    deps: CommandDeps,
    operands: readonly string[],
  ): Promise<CommandResult>;
}

interface Definition<O extends Options> extends Omit<Command, 'options' | 'run'> {
  options: O;
  run(values: Values<O>, deps: CommandDeps, operands: readonly string[]): Promise<CommandResult>;
}

/** Gives a command the types of its own options. */
export function defineCommand<O extends Options>(definition: Definition<O>): Command {
  return definition as unknown as Command;
}
