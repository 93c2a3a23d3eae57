import { addressKey } from '@postroom/contract/address';
import { RetryLater } from '@postroom/events/bus';
import type { EventOf } from '@postroom/events/event';
import type { RefusedPart, SendDocument } from '@postroom/mail-store/documents/send';
import { QUERY_BUDGET } from '@postroom/mail-store/time-limit';
import type { Counter } from '@postroom/runtime/metrics';
import type { ServiceContext } from '@postroom/runtime/service';
import type { Sender } from '../sending/sender.ts';
import type { SendStore } from '../stored-sends/send-store.ts';
import { BOUNCED } from '../sending/bounce-reason.ts';
import type { MailReaderStore, Report } from '../mail-reader/mail-reader-store.ts';
import type { SendDeps } from '../sending/send-deps.ts';
import { UNDER_WAY } from '../stored-sends/send-states.ts';

const AGAIN_MS = 5_000;
/** No attempt takes as long. A report that waits here delays reports about other mail. */
const LONGEST_WAIT_MS = 15 * 60_000;

interface ReportDeps {
  context: Pick<ServiceContext, 'clock' | 'log'>;
  sends: SendStore;
  mailReader: Pick<MailReaderStore, 'report'>;
  sender: Pick<Sender, 'wake'>;
  show: SendDeps['show'];
  /** Reports by whether the send is known that they are about. */
  reports: Counter;
}

/** A server that reports about a message has received it. That resolves an unknown outcome, and names the failed recipients. */
export function createOnDeliveryReported(deps: ReportDeps) {
  const { sends, mailReader, reports } = deps;

  return async ({
    workspaceId,
    occurredAt,
    data: { emailId, mailboxId },
  }: EventOf<'delivery.reported'>): Promise<void> => {
    const report = await mailReader.report(workspaceId, emailId, QUERY_BUDGET);
    if (!report) return;
    const family = await sends.findReported(workspaceId, mailboxId, report);
    const unknown = family.filter((send) => send.state === 'unknown' && isAbout(send, report));
    for (const send of unknown) await resolveByReport(send, deps);
    // The send waits for its answer, or its worker has died, which shows within a minute, or it is about to be recorded as
    // sent. A note that is written now would be overwritten.
    const mayWait = deps.context.clock.now() - occurredAt.getTime() < LONGEST_WAIT_MS;
    if (mayWait && (unknown.length > 0 || family.some(isMoving))) throw new RetryLater(AGAIN_MS);
    reports.add(1, { outcome: family.length > 0 ? 'matched' : 'unmatched' });
    const asked = family.find(({ kind }) => kind !== 'remainder');
    if (asked) await noteFailed(asked, report, deps);
  };
}

/** A sent message that cannot be stored may wait for days. It is recorded together with its reports. */
function isMoving({ state, lastError }: SendDocument): boolean {
  return UNDER_WAY.includes(state) && (state !== 'accepted' || lastError === null);
}

/** Deferred recipients have a send of their own. A report about the others tells nothing about them. */
function isAbout({ kind, to }: SendDocument, { recipients }: Report): boolean {
  return kind !== 'remainder' || recipients.some(({ address }) => isOneOf(to, address));
}

async function resolveByReport(send: SendDocument, { sends, sender, context }: ReportDeps): Promise<void> {
  const now = context.clock.date();
  const known = { state: 'accepted', lastError: null, updatedAt: now, nextAt: now } as const;
  await sends.takeUp(send.workspaceId, send, ['unknown'], known);
  sender.wake();
}

async function noteFailed(send: SendDocument, { recipients }: Report, deps: ReportDeps): Promise<void> {
  const failed = recipients.filter(({ action, address }) => action === 'failed' && isOneOf(send.to, address));
  const refused = failed.map(({ address, reason }): RefusedPart => {
    const asked = send.to.find((one) => addressKey(one) === addressKey(address)) ?? address;
    return { address: asked, reason: `${BOUNCED}${reason}`, isFinal: true };
  });
  for (const one of refused) await deps.sends.noteCameBack(send.workspaceId, send._id, one);
  const [first] = refused;
  if (first)
    deps.context.log.warn({ sendId: send._id, recipients: refused.length }, 'a message that was sent came back');
  // The log of a rule shows it to people. For a person's message the operators see it.
  if (first && send.kind === 'forward') await deps.show(send, { status: 'failed', sendAt: null, reason: first.reason });
}

function isOneOf(to: readonly string[], address: string): boolean {
  return to.some((one) => addressKey(one) === addressKey(address));
}
