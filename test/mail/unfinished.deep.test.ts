import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import type { AtCall } from '../support/interleavings.ts';
import { rawMessage } from '../support/message.ts';
import { mailProcess } from './mail-process.ts';
import { type MailService, startMailService } from './mail-service.ts';

let mail: MailService;
beforeAll(async () => {
  mail = await startMailService();
});
afterAll(() => mail.close());

const wrap = (id: string) => `<${id}@talk.example>`;
const letter = (id: string, day: number, more: Parameters<typeof rawMessage>[0] = {}) => ({
  ...rawMessage({ messageId: wrap(id), date: new Date(Date.UTC(2026, 2, day)), ...more }),
  sourceKey: id,
});
/** A question was sent, and somebody has answered a mail that is not there yet. */
const before = [
  letter('question', 1, { folderType: 'SENT', from: 'me@example.com', text: 'Can you come?' }),
  letter('late', 4, { inReplyTo: wrap('middle') }),
];
/** The batch answers the question, and connects the other thread with it. */
const batch = [
  letter('answer', 2, { inReplyTo: wrap('question') }),
  letter('middle', 3, { inReplyTo: wrap('answer') }),
];

const alive: AtCall = (_, call) => call();

/** Dies at the n-th call of its stores, before it was made or after, and answers nothing from then on. */
function dying(deadly: number, when: 'before' | 'after'): AtCall {
  let calls = 0;
  return async (name, call) => {
    calls += 1;
    if (calls > deadly || (calls === deadly && when === 'before')) throw new Error(`killed ${when} ${name}`);
    const answer = await call();
    if (calls === deadly) throw new Error(`killed after ${name}`);
    return answer;
  };
}

/** The calls of a batch that nothing happens to, by name. */
async function callsOfBatch(): Promise<string[]> {
  const mailbox = await mail.mailbox();
  await mailProcess(mail.collections, alive).ingest(mailbox, before);
  const names: string[] = [];
  const at: AtCall = (name, call) => {
    names.push(name);
    return call();
  };
  await mailProcess(mail.collections, at).ingest(mailbox, batch);
  return names;
}

async function endOf({ workspaceId }: MailboxDocument) {
  const emails = await mail.collections.emails.find({ workspaceId }).lean<EmailDocument[]>();
  return {
    emails: emails.map(({ sourceKey }) => sourceKey).sort(),
    bodies: await mail.collections.bodies.countDocuments({ workspaceId }),
    threads: new Set(emails.map(({ threadId }) => threadId)).size,
    rendered: emails.filter(({ rendered: projection, threadId }) => !projection.includes(`"threadId":"${threadId}"`))
      .length,
    waiting: emails.filter(({ waitingForReply }) => waitingForReply).length,
    unfinished: emails.filter(({ isUnsettled }) => isUnsettled).length,
    pending: emails.filter(({ owedSince }) => owedSince !== undefined).length,
  };
}

const FINISHED = {
  emails: ['answer', 'late', 'middle', 'question'],
  bodies: 4,
  threads: 1,
  rendered: 0,
  waiting: 0,
  unfinished: 0,
  pending: 4,
};

describe('a process that dies while it takes mail in', () => {
  it.each(['before', 'after'] as const)(
    '%s any of its store calls leaves nothing that a repeat does not finish',
    async (when) => {
      const names = await callsOfBatch();
      expect(names).toEqual(expect.arrayContaining(['insertEmails', 'insertNodes', 'moveNodes', 'stopWaiting']));
      for (const [n, name] of names.entries()) {
        const mailbox = await mail.mailbox();
        await mailProcess(mail.collections, alive).ingest(mailbox, before);
        const died = await mailProcess(mail.collections, dying(n + 1, when))
          .ingest(mailbox, batch)
          .catch((error: Error) => error.message);
        expect(died).toContain(`killed ${when}`);
        await mailProcess(mail.collections, alive).ingest(mailbox, batch);
        expect([name, await endOf(mailbox)]).toEqual([name, FINISHED]);
      }
    },
  );

  it('after storing them leaves nothing that the sweep does not finish when nobody repeats it', async () => {
    const names = await callsOfBatch();
    const stored = names.indexOf('insertEmails');
    for (const [n, name] of names.entries()) {
      if (n < stored) continue;
      const mailbox = await mail.mailbox();
      await mailProcess(mail.collections, alive).ingest(mailbox, before);
      await mailProcess(mail.collections, dying(n + 1, 'after'))
        .ingest(mailbox, batch)
        .catch(() => undefined);
      await mailProcess(mail.collections, alive).sweep();
      expect([name, await endOf(mailbox)]).toEqual([name, FINISHED]);
    }
  });

  it('holds up nobody else: a mailbox that is gone is passed over', async () => {
    const [gone, other] = [await mail.mailbox(), await mail.mailbox()];
    const deadly = (await callsOfBatch()).indexOf('insertEmails') + 1;
    for (const mailbox of [gone, other]) {
      await mailProcess(mail.collections, alive).ingest(mailbox, before);
      await mailProcess(mail.collections, dying(deadly, 'after'))
        .ingest(mailbox, batch)
        .catch(() => undefined);
    }
    await mail.collections.mailboxes.deleteOne({ _id: gone._id });
    await mailProcess(mail.collections, alive).sweep();
    expect(await endOf(other)).toEqual(FINISHED);
    expect((await endOf(gone)).unfinished).toBe(2);
  });
});
