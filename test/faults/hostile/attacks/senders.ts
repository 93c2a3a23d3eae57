import { randomBytes } from 'node:crypto';
import { IncomingMessage, MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { connect } from '@postroom/rpc/connect';
import { createServiceContext } from '@postroom/runtime/service-context';
import { compose } from '../../../mail/compose.ts';
import { hostileMessages } from '../../../mail/hostile.ts';
import type { Attack, Ground, Target } from '../attack.ts';

const newId = () => `<${randomBytes(9).toString('hex')}@x.example>`;

/** As a source hands over what came for the victim, whoever sent it. */
const sends = (atOnce: number, make: (nth: number) => Buffer) => async (target: Target, ground: Ground) => {
  const context = createServiceContext({ name: 'sender', logLevel: 'silent' });
  const service = connect(MailboxWriteServiceDefinition, target.mailboxWrite, { context });
  const { workspaceId, mailboxId } = target.victim;
  await ground.storm(atOnce, (nth) => {
    const message = { sourceKey: randomBytes(9).toString('hex'), raw: make(nth), folderType: 'INBOX' };
    const request = { mailboxId, messages: [IncomingMessage.create(message)] };
    return service.ingest(request, { workspaceId, deadline: Date.now() + 10_000 });
  });
  await context.lifecycle.close();
};

/** Nine megabytes whose media types pass every bound of a message. */
function heavyTypes(): Buffer {
  const type = `image/${'x'.repeat(250_000)}`;
  const parts = Array.from({ length: 36 }, (_, n) => `--b\r\nContent-Type: ${type}${n}; name="${n}.png"\r\n\r\nx\r\n`);
  const fields = { 'Message-ID': newId(), 'Content-Type': 'multipart/mixed; boundary=b' };
  return compose(fields, [...parts, '--b--', ''].join('\r\n'));
}

const nested = () =>
  compose({ 'Message-ID': newId(), 'Content-Type': 'text/html; charset=utf-8' }, `${'<div>'.repeat(200_000)}deep\r\n`);

const IDS = Array.from({ length: 50 }, newId);
const several = (count: number, from: number) => Array.from({ length: count }, (_, n) => IDS[(from + n) % IDS.length]);

export const senders: readonly Attack[] = [
  { name: '36 parts with media types of 250 KB', who: 'sender', run: sends(2, heavyTypes) },
  { name: 'html that nests without end', who: 'sender', run: sends(3, nested) },
  {
    name: 'decoys with the ids of other mail, naming five conversations each',
    who: 'sender',
    run: sends(4, (nth) => {
      const [id, ...others] = several(6, nth);
      return compose({ 'Message-ID': id, References: others.join(' '), Subject: `decoy ${nth}` });
    }),
  },
  {
    name: 'addresses that never end',
    who: 'sender',
    run: sends(3, () => compose({ From: `${'a@'.repeat(100_000)}x`, To: `${'"\\'.repeat(100_000)}` })),
  },
  {
    name: 'subjects cut within a sign',
    who: 'sender',
    run: sends(4, (nth) => compose({ Subject: `${'x'.repeat(nth % 7)}${'\u{1F600}'.repeat(20_000)}` })),
  },
  {
    name: 'all that ever broke a parser',
    who: 'sender',
    run: sends(2, (nth) => {
      const make = hostileMessages[nth % hostileMessages.length];
      return make ? make().raw() : compose({});
    }),
  },
];
