import type { Command } from './command.ts';
import { setAsideCommands } from './set-aside.ts';

export const mailCommands: readonly Command[] = [...setAsideCommands];
