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
    const [late] = await workspace.ingest(mailbox.id, [{ subject: 'late' }]);
    await eventually(async () => {
      const deferred = { workspaceId: workspace.id, state: 'scheduled', attempts: 1 } as const;
      expect(await stack.collections.sends.countDocuments(deferred)).toBe(1);
    }, 60_000);
    // Two minutes on, and one email was never classified.
    const since = Date.now();
    await stack.collections.emails.updateOne({ _id: late }, { $set: { awaitsClassificationSince: new Date(since) } });
    const clock = manualClock(since + 120_000);
    const context = createServiceContext({ name: 'watched', log: silentLog, clock });
    observeWaiting(createMailStore(stack.collections), context);
    observeSends(createSendStore(stack.collections), context);
    const page = await context.metrics.render();
    expect(page).toMatch(/^postroom_unfinished_emails\{.*\} 1$/m);
    expect(page).toMatch(/^postroom_unfinished_oldest_seconds\{.*\} 120$/m);
    expect(page).toMatch(/^postroom_sends_unfinished\{kind="forward",.*\} 1$/m);
    expect(page).toMatch(/^postroom_sends_oldest_seconds\{kind="forward",.*\} 12\d(\.\d+)?$/m);
    expect(page).toMatch(/^postroom_sends_unfinished\{kind="reply",.*\} 0$/m);
  });
});
