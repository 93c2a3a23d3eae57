import type { Command } from '../command/command.ts';
import { agentCommands } from './agents.ts';
import { approvalCommands } from './approval.ts';
import { eventCommands } from './events.ts';
import { keyCommands } from './key.ts';
import { listenCommand } from '../listen/listen.ts';
import { mailboxCommands } from './mailbox.ts';
import { mailCommands } from './mail.ts';
import { migrateCommand } from './migrate.ts';
import { secretsCommands } from './secrets.ts';
import { ruleCommands } from './rules.ts';
import { personCommands } from './person.ts';
import { sendCommands } from './sends.ts';
import { signatureCommands } from './signature.ts';
import { webhookCommands } from './webhook.ts';
import { workspaceCommands } from './workspace.ts';

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  ...workspaceCommands,
  ...keyCommands,
  ...mailboxCommands,
  ...personCommands,
  ...signatureCommands,
  ...secretsCommands,
  ...mailCommands,
  ...ruleCommands,
  ...sendCommands,
  ...approvalCommands,
  ...agentCommands,
  ...eventCommands,
  ...webhookCommands,
  listenCommand,
  migrateCommand,
];
