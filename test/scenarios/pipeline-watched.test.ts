import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { createServiceContext } from '@postroom/runtime/service-context';
import { eventually } from '../engines/eventually.ts';
import { type MailSink, openMailSink } from '../support/mail-sink.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import { createMailStore } from '../../services/classifier/src/mail-store.ts';
import { observeWaiting } from '../../services/classifier/src/observe-waiting.ts';
import { createSendStore } from '../../services/outbound-send/src/send-store.ts';
import { observeSends } from '../../services/outbound-send/src/sending/observe-sends.ts';

let sink: MailSink;
let stack: TestStack;
beforeAll(async () => {
  sink = await openMailSink();
  stack = await startStack({ variables: { DEVELOPMENT_SMTP_ADDR: sink.address } });
});
afterAll(async () => {
  await stack.close();
  await sink.close();
});

describe('the figures of the pipeline', () => {
  it('tell how many emails and messages are late, and since when the first of them', async () => {
    const workspace = await stack.workspace();
    const mailbox = await workspace.connectMailbox();
    const rule = { conditionField: 'subject_contains', conditionValue: 'late', forwardTo: 'x@defer.example' };
    await workspace.send.post('/auto-forward-rules', rule);
    const [late, later] = await workspace.ingest(mailbox.id, [{ subject: 'late' }, { subject: 'later' }]);
    const deferred = { workspaceId: workspace.id, state: 'scheduled', attempts: 1 } as const;
    const { emails, sends } = stack.collections;
    await eventually(async () => expect(await sends.countDocuments(deferred)).toBe(2), 60_000);
    // Two minutes on, and neither email was ever classified; the second came half a minute before now.
    const since = Date.now();
    const waits = (_id: string | undefined, from: number) =>
      Promise.all([
        emails.updateOne({ _id }, { $set: { awaitsClassificationSince: new Date(from) } }),
        sends.updateOne({ sourceEmailId: _id }, { $set: { createdAt: new Date(from) } }),
      ]);
    await Promise.all([waits(late, since), waits(later, since + 90_000)]);
    const clock = manualClock(since + 120_000);
    const context = createServiceContext({ name: 'watched', log: silentLog, clock });
    observeWaiting(createMailStore(stack.collections), context);
    observeSends(createSendStore(stack.collections), context);
    const page = await context.metrics.render();
    expect(page).toMatch(/^postroom_unfinished_emails\{.*\} 2$/m);
    expect(page).toMatch(/^postroom_unfinished_oldest_seconds\{.*\} 120$/m);
    expect(page).toMatch(/^postroom_sends_unfinished\{kind="forward",.*\} 2$/m);
    expect(page).toMatch(/^postroom_sends_oldest_seconds\{kind="forward",.*\} 120$/m);
    expect(page).toMatch(/^postroom_sends_unfinished\{kind="reply",.*\} 0$/m);
  });
});
