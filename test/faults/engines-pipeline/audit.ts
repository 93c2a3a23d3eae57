import type { Collections } from '@postroom/mail-store/collections';
import type { Counted } from './counting-server.ts';
import { howManyOf } from './mails.ts';

/** The states of sends that do not change any more here. */
export const OVER = ['recorded', 'unknown'] as const;

/** The progress so far, in the form of `allDone`. */
export async function standing({ emails, sends, autoForwardLogs }: Collections, workspaceId: string) {
  const arrived = { workspaceId, folderType: 'INBOX' } as const;
  const over = { workspaceId, state: { $in: OVER } };
  const [classified, pending, forwards, sent] = await Promise.all([
    emails.countDocuments({ ...arrived, classifiedAt: { $exists: true } }),
    emails.countDocuments({ workspaceId, owedSince: { $exists: true } }),
    autoForwardLogs.countDocuments({ workspaceId }),
    sends.countDocuments(over),
  ]);
  return { classified, pending, forwards, sent };
}

export type Standing = Awaited<ReturnType<typeof standing>>;

export function allDone(total: number): Standing {
  const forwards = howManyOf('Invoice', total);
  return { classified: total, pending: 0, forwards, sent: forwards + howManyOf('Question', total) };
}

/** Lists the faults in words; empty if each mail had the effect of its kind exactly once. */
export async function faultsOf(
  { emails, sends, autoForwardLogs }: Collections,
  workspaceId: string,
  accepted: readonly Counted[],
): Promise<string[]> {
  const arrived = await emails.find({ workspaceId, folderType: 'INBOX' }, { labelIds: 1, subject: 1 }).lean();
  const labels = arrived.flatMap(({ labelIds, subject }) =>
    labelIds.length === (subject.startsWith('Plain') ? 0 : 1) ? [] : [`${subject} has ${labelIds.length} labels`],
  );
  // Scheduled replies are not counted: they stay drafts only while their outcome is unknown.
  const isLeft = { workspaceId, folderType: 'DRAFTS', scheduledStatus: null } as const;
  const drafts = await emails.find(isLeft, { subject: 1 }).lean();
  const offers = arrived.flatMap(({ subject }) => (subject.startsWith('Offer') ? [`Re: ${subject}`] : []));
  const made = await sends.find({ workspaceId }, { messageId: 1, state: 1 }).lean();
  const recorded = made.filter(({ state }) => state === 'recorded').map(({ messageId }) => messageId);
  const seen = accepted.map(({ messageId }) => messageId);
  // A send is unknown if the process died while the server had the whole message. It may have been sent or not.
  const known = made.map(({ messageId }) => messageId);
  const filed = await emails.countDocuments({ workspaceId, folderType: 'SENT' });
  const lines = await autoForwardLogs.countDocuments({ workspaceId, status: { $ne: 'sent' } });
  const unsure = made.length - recorded.length;
  return [
    ...labels,
    ...differences(
      'draft',
      drafts.map(({ subject }) => subject),
      offers,
    ),
    ...twice(seen).map((id) => `${id} was accepted twice`),
    ...twice(accepted.map(({ subject }) => subject)).map((subject) => `${subject} went out twice`),
    ...without(recorded, seen).map((id) => `${id} was recorded and never accepted`),
    ...without(seen, known).map((id) => `${id} was accepted and is nobody's`),
    ...(filed === recorded.length ? [] : [`${filed} sent copies of ${recorded.length}`]),
    ...(lines <= unsure ? [] : [`${lines} lines of forwards that do not say sent, of ${unsure} unknown sends`]),
  ];
}

function differences(what: string, there: readonly string[], wanted: readonly string[]): string[] {
  return [
    ...twice(there).map((one) => `${what} ${one} twice`),
    ...without(there, wanted).map((one) => `${what} ${one} for nobody`),
    ...without(wanted, there).map((one) => `no ${what} ${one}`),
  ];
}

function twice(all: readonly string[]): string[] {
  const met = new Set<string>();
  return all.filter((one) => met.has(one) || !met.add(one));
}

function without(all: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return all.filter((one) => !known.has(one));
}
