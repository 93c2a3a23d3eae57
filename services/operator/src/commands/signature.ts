import { defineCommand, type Command } from '../command/command.ts';
import { flagOption, optional, textOption } from '../command/option.ts';

const create = defineCommand({
  path: ['signature', 'create'],
  summary: 'Adds a signature to a workspace or to one of its mailboxes',
  options: {
    workspaceId: textOption('--workspace <id>', 'the workspace'),
    name: textOption('--name <name>', 'what people call it'),
    html: textOption('--html <html>', 'what is put under an email'),
    isDefault: flagOption('--default', 'the one applied when a send names none'),
    mailboxId: optional('--mailbox <id>', 'the only mailbox it is for'),
  },
  run: async (values, deps) => {
    const { id } = await deps.workspaces().createSignature(values, {});
    return { json: { id }, lines: [`Signature ${id} is there.`] };
  },
});

export const signatureCommands: readonly Command[] = [create];
