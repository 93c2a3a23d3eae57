import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '../engines/eventually.ts';
import { startSyncedStack, type SyncedMailbox, type SyncedStack } from '../engines/support/synced-mailbox.ts';
import { type Collector, type SeenSpan, startCollector } from '../support/collector.ts';
import { type Gmail, openGmail } from '../support/gmail.ts';
import { type MailSink, openMailSink } from '../support/mail-sink.ts';
import type { TestWorkspace } from '../support/workspace.ts';

// Of a whole pipeline on a busy machine.
jest.setTimeout(120_000);
const SOON = 40_000;
const message = (subject: string) =>
  Buffer.from(`From: shop@shop.example\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@mail.test>\r\n\r\nHello`);

describe('traces', () => {
  let collector: Collector;
  let sink: MailSink;
  let gmail: Gmail;
  let stack: SyncedStack;
  let workspace: TestWorkspace;
  let mailbox: SyncedMailbox;

  beforeAll(async () => {
    [collector, sink, gmail] = await Promise.all([startCollector(), openMailSink({ hasLogins: true }), openGmail()]);
    stack = await startSyncedStack({}, { otlpEndpoint: collector.endpoint });
    workspace = await stack.workspace();
    gmail.add(message('first'), ['\\Inbox'], [], new Date());
    mailbox = await stack.connectUser(workspace, 'ann@gmail.test', gmail.address, sink.address);
    await eventually(async () => expect(Object.keys(await mailbox.shown())).toEqual(['first']), SOON, 100);
  });
  afterAll(async () => {
    await stack.close();
    await Promise.all([gmail.close(), sink.close(), collector.close()]);
  });

  /** The trace that this span belongs to begins here alone, and has these, once each service has exported its own. */
  const expectTrace = async (isIt: (span: SeenSpan) => boolean, root: string, names: string[]): Promise<void> => {
    const trace = () => {
      const spans = collector.spans();
      const { traceId } = spans.find(isIt) ?? {};
      return spans.filter((span) => span.traceId === traceId);
    };
    const roots = () => trace().filter(({ parentSpanId: of }) => !trace().some(({ spanId }) => spanId === of));
    const namesOf = (spans: SeenSpan[]) => spans.map(({ name }) => name);
    const seen = () => ({ roots: namesOf(roots()), names: namesOf(trace()) });
    const expected = { roots: [root], names: expect.arrayContaining([root, ...names]) };
    await eventually(() => expect(seen()).toEqual(expected), SOON, 200);
  };

  it('of mail are one from its mail server over both topics to the next mail server', async () => {
    const rule = { conditionField: 'subject_contains', conditionValue: 'invoice', forwardTo: 'books@other.example' };
    await workspace.send.post('/auto-forward-rules', rule);
    gmail.add(message('invoice'), ['\\Inbox'], [], new Date());
    await eventually(() => expect(sink.caught).toHaveLength(1), SOON);
    const way = ['take in', 'imap fetch', 'MailboxWriteService/Ingest', 'process email.received'];
    const on = ['process email.classified', 'OutboundSendService/ForwardEmail', 'send', 'smtp deliver'];
    await expectTrace(({ name }) => name === 'smtp deliver', 'take in', [...way, ...on]);
  });

  it('of a request are one from HTTP to the mail server that alone has what is asked for', async () => {
    const { first } = await mailbox.shown();
    await stack.collections.bodies.deleteOne({ _id: first?.id ?? '' });
    const { status, headers } = await workspace.read.get(`/emails/${first?.id}/body`);
    expect(status).toBe(200);
    const isOfRequest = ({ attributes }: SeenSpan) =>
      attributes.some(
        ({ key, value }) => key === 'postroom.request_id' && value.stringValue === headers.get('x-request-id'),
      );
    const route = 'GET /emails/{emailId}/body';
    const way = ['MailboxSyncService/FetchBody', 'imap fetch', 'MailboxWriteService/RestoreBody'];
    await expectTrace(isOfRequest, route, way);
  });
});
