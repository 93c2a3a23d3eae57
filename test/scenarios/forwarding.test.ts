import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { memoryBus, type MemoryBus } from '@postroom/events/memory-bus';
import { silentLog } from '@postroom/runtime/log';
import { simpleParser } from 'mailparser';
import { eventually } from '../engines/eventually.ts';
import { openMailSink, type MailSink } from '../support/mail-sink.ts';
import { behindGateway, shiftingClock } from '../support/shifting-clock.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

let sink: MailSink;
let bus: MemoryBus;
let stack: TestStack;

beforeAll(async () => {
  sink = await openMailSink();
  // Some publishes fail, half of those after the bus took them in; a third of the deliveries comes again.
  const clock = shiftingClock({ times: 5 });
  bus = memoryBus({ clock, log: silentLog, faults: { seed: 15, drop: 0.15, repeat: 0.33 } });
  stack = await startStack({
    bus,
    clock: behindGateway(clock),
    variables: { DEVELOPMENT_SMTP_ADDR: sink.address, FORWARDS_PER_HOUR: '3', FORWARDS_PER_HOUR_OF_WORKSPACE: '5' },
  });
});
afterAll(async () => {
  await stack.close();
  await sink.close();
  await bus.close();
});

interface Line {
  emailId: string;
  status: string;
  reason: string | null;
}

const ruleOf = async (workspace: TestWorkspace, rule: object) =>
  (await workspace.send.post('/auto-forward-rules', { conditionField: 'subject_contains', ...rule })).body.rule as {
    id: string;
  };
const logOf = async (workspace: TestWorkspace, { id }: { id: string }): Promise<Line[]> =>
  (await workspace.read.get(`/auto-forward-rules/${id}/logs`)).body.items;
const caughtBy = (address: string) => sink.caught.filter(({ to }) => to.includes(address));
/** Every email was classified, its event has left, and nothing is on its way to a rule any more. */
const allClassified = async (workspace: TestWorkspace) => {
  await eventually(async () => {
    const pending = { workspaceId: workspace.id, owedSince: { $exists: true } };
    expect(await stack.collections.emails.countDocuments(pending)).toBe(0);
  }, 60_000);
};

const withFile = {
  headers: { 'Content-Type': 'multipart/mixed; boundary=b' },
  text: [
    '--b\r\n\r\nplease pay',
    '--b\r\nContent-Type: text/csv; name=a.csv\r\nContent-Disposition: attachment\r\n\r\n1;2',
    '--b--',
  ].join('\r\n'),
};

describe('an auto-forward rule', () => {
  it('forwards each email that it applies to once, and says so in its log', async () => {
    const workspace = await stack.workspace();
    const mailbox = await workspace.connectMailbox();
    const to = 'books@one.example';
    const rule = await ruleOf(workspace, { conditionValue: 'INVOICE', forwardTo: to });
    const other = await ruleOf(workspace, { conditionValue: 'invoice', forwardTo: 'off@one.example', isActive: false });
    const [first = '', second = ''] = await workspace.ingest(mailbox.id, [
      { subject: 'Invoice 1', text: 'please pay', from: 'Shop <shop@shop.example>' },
      { subject: 'Your invoice 2' },
      { subject: 'Lunch' },
    ]);
    await eventually(async () => {
      const lines = (await logOf(workspace, rule)).map(({ emailId, status }) => [emailId, status] as const);
      expect(new Map(lines)).toEqual(new Map([first, second].map((id) => [id, 'sent'])));
    }, 60_000);
    await allClassified(workspace);
    expect(caughtBy(to)).toHaveLength(2);
    expect(caughtBy('off@one.example')).toEqual([]);
    expect(await logOf(workspace, other)).toEqual([]);
    const parsed = await simpleParser(caughtBy(to).find(({ raw }) => raw.includes('Invoice 1'))?.raw ?? '');
    expect(parsed.subject).toBe('Fwd: Invoice 1');
    expect(parsed.from?.value[0]?.address).toBe(mailbox.email);
    expect(parsed.text).toContain('please pay');
  });

  it('of an AI label forwards what came in under it, and nothing that got it later; one of a manual label, nothing', async () => {
    const workspace = await stack.workspace();
    const mailbox = await workspace.connectMailbox();
    const [before = ''] = await workspace.ingest(mailbox.id, [{ subject: 'Invoice of before' }]);
    await allClassified(workspace);
    const asked = { name: 'Bills', color: 'Red', condition: 'the email is an invoice' };
    const { id: aiLabelId } = (await workspace.write.post('/ai-label-rules', asked)).body.rule.label;
    const { id: labelId } = (await workspace.write.post('/labels', { name: 'By hand', color: 'Mauve' })).body.label;
    const [bills, byHand] = [
      await ruleOf(workspace, { conditionField: 'label', conditionValue: 'Bills', forwardTo: 'bills@six.example' }),
      await ruleOf(workspace, { conditionField: 'label', conditionValue: 'By hand', forwardTo: 'hand@six.example' }),
    ];
    const [invoice = '', lunch = ''] = await workspace.ingest(mailbox.id, [
      { subject: 'Invoice' },
      { subject: 'Lunch' },
    ]);
    await eventually(
      async () => expect(await logOf(workspace, bills)).toMatchObject([{ emailId: invoice, status: 'sent' }]),
      60_000,
    );
    // A rule looks at what comes in after it alone.
    expect((await workspace.read.get('/emails')).body.items).toContainEqual(
      expect.objectContaining({ id: before, tags: [] }),
    );
    for (const id of [aiLabelId, labelId]) await workspace.write.post(`/emails/${lunch}/labels/${id}`);
    await workspace.write.post('/emails/bulk', { action: 'applyLabel', emailIds: [before, invoice], labelId });
    await allClassified(workspace);
    expect(await logOf(workspace, bills)).toHaveLength(1);
    expect(await logOf(workspace, byHand)).toEqual([]);
  });

  it('passes an email on unchanged when it is invisible, answers going to its author', async () => {
    const workspace = await stack.workspace();
    const mailbox = await workspace.connectMailbox();
    const to = 'quiet@two.example';
    const rule = await ruleOf(workspace, {
      conditionField: 'sender_equals',
      conditionValue: 'Shop@Shop.example',
      forwardTo: to,
      mode: 'invisible',
    });
    await workspace.ingest(mailbox.id, [{ subject: 'As it is', from: 'Shop <shop@shop.example>' }]);
    await eventually(async () => expect(await logOf(workspace, rule)).toMatchObject([{ status: 'sent' }]), 60_000);
    const parsed = await simpleParser(caughtBy(to)[0]?.raw ?? '');
    expect(parsed.subject).toBe('As it is');
    expect(parsed.replyTo?.value[0]?.address).toBe('shop@shop.example');
  });

  it.each(['normal', 'invisible'])(
    'takes attachments along when it is %s, and the sent email has them',
    async (mode) => {
      const workspace = await stack.workspace();
      const mailbox = await workspace.connectMailbox();
      const to = `${mode}@attached.example`;
      const rule = await ruleOf(workspace, { conditionValue: 'invoice', forwardTo: to, mode });
      await workspace.ingest(mailbox.id, [{ subject: 'Invoice', ...withFile }]);
      await eventually(async () => expect(await logOf(workspace, rule)).toMatchObject([{ status: 'sent' }]), 60_000);
      const parsed = await simpleParser(caughtBy(to)[0]?.raw ?? '');
      expect(parsed.attachments.map(({ filename, content }) => [filename, content.toString()])).toEqual([
        ['a.csv', '1;2'],
      ]);
      expect(parsed.text).toContain('please pay');
      const { body } = await workspace.read.get('/emails?folderType=SENT');
      expect(body.items).toMatchObject([{ attachments: [{ filename: 'a.csv', size: 3, mimeType: 'text/csv' }] }]);
    },
  );

  it('skips what a machine sent and what came from there, and says why', async () => {
    const workspace = await stack.workspace();
    const mailbox = await workspace.connectMailbox();
    const rule = await ruleOf(workspace, { conditionValue: 'ring', forwardTo: 'peer@three.example' });
    await workspace.ingest(mailbox.id, [
      { subject: 'ring', headers: { 'Auto-Submitted': 'auto-generated' } },
      { subject: 'ring', headers: { 'List-Id': '<list.three.example>' } },
      // As where a server on the way took the other marks off.
      { subject: 'ring', headers: { 'X-Postroom-Loop': '00' } },
      { subject: 'ring', from: 'Peer <PEER@three.example>' },
    ]);
    await eventually(async () => {
      const statuses = (await logOf(workspace, rule)).map(({ status }) => status);
      expect(statuses).toEqual(['skipped', 'skipped', 'skipped', 'skipped']);
    }, 60_000);
    expect((await logOf(workspace, rule)).every(({ reason }) => reason !== null)).toBe(true);
    expect(caughtBy('peer@three.example')).toEqual([]);
  });

  it('ends a ring of two within a lap: a forwarded email is not forwarded on', async () => {
    const [one, two] = [await stack.workspace(), await stack.workspace()];
    const [a, b] = [await one.connectMailbox(), await two.connectMailbox()];
    await ruleOf(one, { conditionValue: 'round', forwardTo: b.email });
    const back = await ruleOf(two, { conditionValue: 'round', forwardTo: a.email });
    await one.ingest(a.id, [{ subject: 'round and round' }]);
    await eventually(() => expect(caughtBy(b.email)).toHaveLength(1), 60_000);
    // The second mailbox receives the message exactly as the mail server accepted it.
    const raw = Buffer.from(caughtBy(b.email)[0]?.raw ?? '');
    const message = { sourceKey: 'lap', raw, folderType: 'INBOX', isRead: false, isStarred: false, isHistory: false };
    await stack.mailboxWrite.ingest(
      { mailboxId: b.id, messages: [{ ...message, providerLabels: [] }] },
      { workspaceId: two.id },
    );
    await eventually(async () => expect(await logOf(two, back)).toMatchObject([{ status: 'skipped' }]), 60_000);
    expect(caughtBy(a.email)).toEqual([]);
  });

  it('says that it failed, and why, when the mail server refuses', async () => {
    const workspace = await stack.workspace();
    const mailbox = await workspace.connectMailbox();
    const refused = await ruleOf(workspace, { conditionValue: 'refused', forwardTo: 'gone@refuse.example' });
    await workspace.ingest(mailbox.id, [{ subject: 'refused' }]);
    await eventually(async () => {
      const reason = expect.stringContaining('no such user') as unknown as string;
      expect(await logOf(workspace, refused)).toMatchObject([{ status: 'failed', reason, attempts: 1 }]);
    }, 60_000);
  });

  it('leaves what is over the bounds of an hour, its own and that of the workspace, pending with its time', async () => {
    const workspace = await stack.workspace();
    const [one, two] = [await workspace.connectMailbox(), await workspace.connectMailbox()];
    const flood = await ruleOf(workspace, { conditionValue: 'flood', forwardTo: 'flood@four.example' });
    const more = await ruleOf(workspace, { conditionValue: 'more', forwardTo: 'more@four.example' });
    const many = (subject: string) => Array.from({ length: 5 }, (_, n) => ({ subject: `${subject} ${n}` }));
    // A forward on its way is pending too, and says nothing of an hour yet.
    const see = (rule: { id: string }, whys: string[], count: number) =>
      eventually(async () => {
        const lines = await logOf(workspace, rule);
        expect(lines.map(({ status }) => status).toSorted()).toEqual(
          Array.from({ length: 5 }, (_, n) => (n < count ? 'pending' : 'sent')),
        );
        expect(pendingOf(lines, whys)).toHaveLength(count);
      }, 60_000);
    const soonest = Date.now() + 59 * 60_000;
    const pendingOf = (lines: Line[], whys: string[]) =>
      lines.filter(({ status, reason }) => {
        const [said = '', time = ''] = reason?.split('; it leaves at ') ?? [];
        return status === 'pending' && whys.includes(said) && Date.parse(time) > soonest;
      });
    await workspace.ingest(one.id, many('flood'));
    const ofRule = 'the rule has forwarded as many emails within an hour as it may';
    await see(flood, [ofRule], 2);
    await workspace.ingest(two.id, many('more'));
    const ofAll = 'the rules of the workspace have forwarded as many emails within an hour as they may';
    // On a busy machine one that waited for a while finds the rule's own hour full first.
    await see(more, [ofAll, ofRule], 3);
    expect([caughtBy('flood@four.example').length, caughtBy('more@four.example').length]).toEqual([3, 2]);
  });

  it('forwards nothing while its workspace is suspended', async () => {
    const workspace = await stack.workspace();
    const mailbox = await workspace.connectMailbox();
    const rule = await ruleOf(workspace, { conditionValue: 'late', forwardTo: 'late@five.example' });
    await stack.collections.workspaces.updateOne({ _id: workspace.id }, { $set: { suspendedAt: new Date() } });
    await workspace.ingest(mailbox.id, [{ subject: 'late' }]);
    await eventually(async () => {
      const lines = await stack.collections.autoForwardLogs.find({ workspaceId: workspace.id, ruleId: rule.id }).lean();
      expect(lines).toMatchObject([{ status: 'skipped', reason: 'the workspace is suspended' }]);
    }, 60_000);
    expect(caughtBy('late@five.example')).toEqual([]);
  });
});
