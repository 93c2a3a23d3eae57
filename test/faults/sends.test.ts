import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@postroom/local/free-port';
import { ComposeRequest, OutboundSendServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
import { connect, type Connection } from '@postroom/rpc/connect';
import { createServiceContext } from '@postroom/runtime/service-context';
import { type MailService, startMailService } from '../mail/mail-service.ts';
import { openMailSink, type MailSink, type SmtpStage } from '../support/mail-sink.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

/** Where in a conversation with the mail server the process dies; `answered` is after the server has said yes. */
const STAGES: SmtpStage[] = ['connected', 'recipient', 'data', 'accepted', 'answered'];
const ROUNDS = process.env.POSTROOM_FULL ? 100 : 1;
const context = createServiceContext({ name: 'caller', logLevel: 'silent' });

let mail: MailService;
let sink: MailSink;
let port: number;
let victim: ServiceProcess | undefined;
let outbound: Connection<OutboundSendServiceDefinition>;
beforeAll(async () => {
  mail = await startMailService();
  sink = await openMailSink();
  port = await freePort(0);
  outbound = connect(OutboundSendServiceDefinition, `127.0.0.1:${port}`, { context });
});
afterAll(async () => {
  await victim?.kill();
  await context.lifecycle.close();
  await sink.close();
  await mail.close();
});

const startVictim = () =>
  startServiceProcess('outbound-send', {
    MONGODB_URI: mail.uri,
    GRPC_PORT: String(port),
    MAILBOX_WRITE_ADDR: mail.address,
    // Nobody is asked there: what callers send has no rule.
    LABEL_RULE_ADDR: mail.address,
    DEVELOPMENT_SMTP_ADDR: sink.address,
    SEND_LEASE: '1s',
  });

type Outcome = 'sent' | 'not sent' | 'not known';

/** What a caller hears who asks again and again for the same operation, until it is told or surely not told. */
async function outcomeOf(request: ComposeRequest, call: { workspaceId: string; operationId: string }) {
  let outcome: Outcome = 'not known';
  for (let tries = 0; tries < 12; tries++) {
    const deadline = Date.now() + 5_000;
    outcome = await outbound.sendEmail(request, { ...call, deadline }).then(
      () => 'sent',
      ({ code, message }: { code: string; message: string }) =>
        code === 'INTERNAL_ERROR' && message.startsWith('Nothing was sent') ? 'not sent' : 'not known',
    );
    if (outcome !== 'not known') return outcome;
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
  return outcome;
}

describe('P1: kill -9 of outbound-send in the middle of a send', () => {
  it('no mail is lost and none is doubled; what is not known stays so and is not sent again', async () => {
    const mailbox = await mail.mailbox();
    const { workspaceId, _id: mailboxId } = mailbox;
    victim = await startVictim();
    const told: { stage: SmtpStage; outcome: Outcome; taken: number; stored: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (const stage of STAGES) {
        const subject = `Round ${round} ${stage}`;
        const request = ComposeRequest.create({
          mailboxId,
          to: [{ email: 'b@x.example' }],
          subject,
          body: { text: 'x' },
        });
        const call = { workspaceId, operationId: `op ${subject}` };
        const died = new Promise<void>((resolve) => {
          sink.at = async (reached) => {
            if (reached !== stage) return;
            delete sink.at;
            await victim?.kill();
            resolve();
          };
        });
        await outbound.sendEmail(request, { ...call, deadline: Date.now() + 5_000 }).catch(() => undefined);
        await died;
        victim = await startVictim();
        const outcome = await outcomeOf(request, call);
        const taken = sink.caught.filter(({ raw }) => raw.includes(subject)).length;
        const stored = await mail.collections.emails.countDocuments({ workspaceId, subject, folderType: 'SENT' });
        told.push({ stage, outcome, taken, stored });
      }
    }
    for (const { stage, outcome, taken, stored } of told) {
      expect(taken).toBeLessThanOrEqual(1);
      if (outcome === 'sent') expect([stage, taken, stored]).toEqual([stage, 1, 1]);
      if (outcome === 'not sent') expect([stage, taken, stored]).toEqual([stage, 0, 0]);
      // Nobody could know: the server had the whole message when the process died, and files no copy.
      if (outcome === 'not known') expect(['accepted', 'answered']).toContain(stage);
    }
    const count = (wanted: Outcome) => told.filter(({ outcome }) => outcome === wanted).length;
    process.stdout.write(
      `P01 PASS sends=${told.length} kills=${told.length} sent=${count('sent')} unknown=${count('not known')} lost=0 dup=0\n`,
    );
  }, 3_600_000);
});
