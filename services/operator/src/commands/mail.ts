import type { Command } from '../command/command.ts';
import { importCommand } from './import.ts';
import { quarantinedMessageCommands } from './quarantined-messages.ts';

export const mailCommands: readonly Command[] = [importCommand, ...quarantinedMessageCommands];
