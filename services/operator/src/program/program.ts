import { Command as Program, CommanderError, InvalidArgumentError, Option as ProgramOption } from 'commander';
import type { Command } from '../command/command.ts';
import { commands } from '../commands/commands.ts';
import { UsageError, type Option } from '../command/option.ts';

/** The command that the command line asks for. */
interface TypedCommand {
  command: Command;
  values: Record<string, unknown>;
  operands: string[];
  json: boolean;
}

/** Reads the arguments. It returns nothing when only help was asked for, and throws a UsageError when they are wrong. */
export function readArguments(args: readonly string[], write: (text: string) => void): TypedCommand | undefined {
  let asked: TypedCommand | undefined;
  const root = quiet(new Program('postroom'), write)
    .description('Runs a Postroom: workspaces, keys, mailboxes, signatures, mail')
    .helpCommand(false);
  for (const command of commands) {
    const program = nounOf(root, command.path.slice(0, -1), write);
    addCommand(program, command, write, (found) => {
      asked = found;
    });
  }
  try {
    root.parse([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return undefined;
    throw new UsageError(explain(error, args));
  }
  return asked;
}

function nounOf(root: Program, path: readonly string[], write: (text: string) => void): Program {
  return path.reduce((parent, name) => {
    const known = parent.commands.find((child) => child.name() === name);
    return known ?? quiet(parent.command(name).helpCommand(false), write);
  }, root);
}

function addCommand(
  parent: Program,
  command: Command,
  write: (text: string) => void,
  found: (asked: TypedCommand) => void,
): void {
  const name = command.path.at(-1) ?? '';
  const program = quiet(parent.command(name).description(command.summary), write).option('--json', 'one JSON document');
  if (command.operands) program.argument(command.operands.flags, command.operands.description);
  else program.allowExcessArguments(false);

  const keys = Object.entries(command.options).map(([key, option]) => {
    const built = toProgramOption(option);
    program.addOption(built);
    return [key, built.attributeName()] as const;
  });
  program.action(() => {
    const given: Record<string, unknown> = program.opts();
    const values = Object.fromEntries(keys.map(([key, attribute]) => [key, given[attribute]]));
    found({ command, values, operands: program.args, json: given.json === true });
  });
}

function toProgramOption(option: Option<unknown>): ProgramOption {
  const built = new ProgramOption(option.flags, option.description).makeOptionMandatory(option.required);
  if (option.fallback !== undefined) built.default(option.fallback);
  const read = option.read?.bind(option);
  if (!read) return built;
  return built.argParser((value: string, before: unknown) => {
    try {
      return read(value, before);
    } catch (error) {
      throw new InvalidArgumentError(error instanceof UsageError ? error.message : 'cannot be read');
    }
  });
}

/** It neither exits nor prints by itself, so that an error stays one line. */
function quiet(program: Program, write: (text: string) => void): Program {
  return program
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: () => undefined, outputError: () => undefined });
}

function explain(error: CommanderError, args: readonly string[]): string {
  const words = args.filter((arg) => !arg.startsWith('-'));
  const nearest = commands.find(({ path }) => path.every((word, position) => words[position] === word));
  const where = nearest ? `postroom ${nearest.path.join(' ')} --help` : 'postroom --help';
  // A noun without its verb makes commander print the whole help instead of saying what is missing.
  const isIncomplete = error.code === 'commander.help';
  const what = isIncomplete
    ? `${args.length === 0 ? 'a command' : `what to do with "${words.join(' ')}"`} is missing`
    : error.message
        .replace(/^error: /, '')
        .replace(/^option '(--[\w-]+)(?![\w-])[^']*' argument '.*' is invalid\. /s, '$1 ')
        .replaceAll(/\s+/g, ' ')
        .replace(/\.$/, '');
  return `${what}; "${where}" shows how it is written`;
}
