import type { Send } from '@postroom/proto/postroom/v1/outbound_send';
import { type CommandResult, type Command, defineCommand } from '../command/command.ts';
import { flagOption, oneOf, optional, textOption, UsageError, wholeNumber } from '../command/option.ts';

const workspaceId = textOption('--workspace <id>', 'the workspace');

const list = defineCommand({
  path: ['sends', 'list'],
  summary: 'Shows mail that went wrong on its way out: who has not got it, and why',
  options: {
    workspaceId,
    trouble: oneOf(
      '--trouble <kind>',
      'unknown (it may have gone out), unstored (it has, and is not in the mailbox), refused (by some recipients), failed',
      ['unknown', 'unstored', 'refused', 'failed'],
    ),
    mailboxId: optional('--mailbox <id>', 'of one mailbox'),
    limit: wholeNumber('--limit <count>', 'how many of the newest', 100),
  },
  run: async ({ workspaceId: whose, ...asked }, deps) => {
    const { items } = await deps.sends().listSends(asked, { workspaceId: whose });
    return {
      json: { items },
      table: {
        head: ['id', 'mailbox', 'kind', 'state', 'since', 'cause'],
        rows: items.map((send) => [send.id, send.mailboxId, send.kind, send.state, send.createdAt, causeOf(send)]),
      },
    };
  },
});

const show = defineCommand({
  path: ['sends', 'show'],
  summary: 'Shows one of them whole',
  options: { workspaceId, id: textOption('--send <id>', 'the send') },
  run: async ({ workspaceId: whose, id }, deps) => whole(await deps.sends().getSend({ id }, { workspaceId: whose })),
});

// A message that may have been sent is never sent again here. A person can ask the mail server or a recipient.
const resolve = defineCommand({
  path: ['sends', 'resolve'],
  summary: 'Says what became of a send whose outcome is unknown',
  options: {
    workspaceId,
    id: textOption('--send <id>', 'the send'),
    isSent: flagOption('--sent', 'it went out: it is put among the sent emails'),
    isNotSent: flagOption('--not-sent', 'it did not: its caller may send it again'),
  },
  run: async ({ workspaceId: whose, id, isSent, isNotSent }, deps) => {
    if (isSent === isNotSent) throw new UsageError('say which: add --sent or --not-sent');
    return whole(await deps.sends().resolveSend({ id, isSent }, { workspaceId: whose }));
  },
});

export const sendCommands: readonly Command[] = [list, show, resolve];

function causeOf({ lastError, refused }: Send): string {
  return refused.length > 0
    ? refused.map(({ address, reason }) => `${address}: ${reason}`).join('; ')
    : (lastError ?? '');
}

function whole(send: Send): CommandResult {
  const { refused, to, ...rest } = send;
  const rows = Object.entries(rest).map(([name, value]) => [name, String(value ?? '')]);
  const people = refused.map(({ address, reason, isFinal }) => [
    isFinal ? 'not got by' : 'put off',
    `${address}: ${reason}`,
  ]);
  return { json: send, table: { head: ['what', 'is'], rows: [...rows, ['to', to.join(', ')], ...people] } };
}
