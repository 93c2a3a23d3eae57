import type { Command } from './command.ts';
import { importCommand } from './import.ts';
import { setAsideCommands } from './set-aside.ts';

export const mailCommands: readonly Command[] = [importCommand, ...setAsideCommands];
