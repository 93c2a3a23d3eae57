import { defineCommand, type Command } from '../command/command.ts';
import { flag, optional, text } from '../command/option.ts';

const create = defineCommand({
  path: ['signature', 'create'],
  summary: 'Adds a signature to a workspace or to one of its mailboxes',
  options: {
    workspaceId: text('--workspace <id>', 'the workspace'),
    name: text('--name <name>', 'what people call it'),
    html: text('--html <html>', 'what is put under an email'),
    isDefault: flag('--default', 'the one applied when a send names none'),
    mailboxId: optional('--mailbox <id>', 'the only mailbox it is for'),
  },
  run: async (values, deps) => {
    const { id } = await deps.workspaces().createSignature(values, {});
    return { json: { id }, lines: [`Signature ${id} is there.`] };
  },
});

export const signatureCommands: readonly Command[] = [create];
