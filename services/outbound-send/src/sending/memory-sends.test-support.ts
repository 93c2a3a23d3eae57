import type { SendDocument } from '@postroom/mail-store/documents/send';
import type { SendStore } from '../stored-sends/send-store.ts';
import { contactsServer, UNDER_WAY } from '../stored-sends/send-states.ts';

/** The store's promises without a database: one document, changed only by who holds it. */
export function memorySends() {
  const all = new Map<string, SendDocument>();
  const held = (id: string, epoch: number, states: readonly string[]) => {
    const send = all.get(id);
    return send && send.epoch === epoch && states.includes(send.state) ? send : undefined;
  };
  const sends: SendStore = {
    find: async (_workspaceId, id) => (all.has(id) ? { ...(all.get(id) as SendDocument) } : null),
    insert: async (_workspaceId, send) => {
      if (all.has(send._id)) return false;
      all.set(send._id, { ...send });
      return true;
    },
    advance: async (_workspaceId, { _id, epoch }, from, change) => {
      const send = held(_id, epoch, from);
      if (send) Object.assign(send, change);
      return send !== undefined;
    },
    takeUp: async (_workspaceId, { _id, epoch }, from, change) => {
      const send = held(_id, epoch, from);
      return send ? { ...Object.assign(send, change, { epoch: epoch + 1 }) } : null;
    },
    knownOrForwarded: async (_workspaceId, id, messageId) => ({
      isKnown: all.has(id),
      wasForwarded: [...all.values()].some((send) => send.messageId === messageId && send.kind === 'forward'),
    }),
    extend: async (_workspaceId, { _id, epoch }, nextAt) => {
      const send = held(_id, epoch, UNDER_WAY);
      if (send) send.nextAt = nextAt;
      return send !== undefined;
    },
    ...waitingIn(all),
    troubled: async () => [...all.values()],
    noteRefused: async (_workspaceId, id, refused) => void Object.assign(all.get(id) ?? {}, { refused }),
    noteCameBack: async (_workspaceId, id, one) => {
      const send = all.get(id);
      if (send) send.refused = [...send.refused.filter(({ address }) => address !== one.address), one];
    },
    findReported: async () => [...all.values()],
    putBack: async (_workspaceId, { _id, epoch }, nextAt) => {
      const send = all.get(_id);
      if (send?.epoch === epoch) send.nextAt = nextAt;
    },
    everyWorkspacesLate: async () => ({ count: all.size, since: undefined }),
    claimDue: async (now, leaseUntil, { mailboxIds, workspaceIds }) =>
      claimFirst(all, now, leaseUntil, (send) => {
        return !mailboxIds.includes(send.mailboxId) && !workspaceIds.includes(send.workspaceId);
      }),
    claimWithoutServer: async (now, leaseUntil) => claimFirst(all, now, leaseUntil, (send) => !contactsServer(send)),
  };
  const only = () => [...all.values()][0] as SendDocument;
  const nextAt = () =>
    [...all.values()].reduce<number | undefined>(
      (soonest, { nextAt: at }) => (at === null ? soonest : Math.min(soonest ?? Infinity, at.getTime())),
      undefined,
    );
  return { sends, make, only, all, nextAt };
}

function claimFirst(
  all: ReadonlyMap<string, SendDocument>,
  now: Date,
  leaseUntil: Date,
  isWanted: (send: SendDocument) => boolean,
): SendDocument | null {
  const due = [...all.values()]
    .filter(isWanted)
    .filter(({ nextAt }) => nextAt !== null && nextAt <= now)
    .toSorted((one, other) => Number(one.nextAt) - Number(other.nextAt))[0];
  return due ? { ...Object.assign(due, { nextAt: leaseUntil, epoch: due.epoch + 1 }) } : null;
}

function waitingIn(all: ReadonlyMap<string, SendDocument>): Pick<SendStore, 'waitingForwards'> {
  return {
    waitingForwards: async (_workspaceId, { ruleId, since, until }, limit) =>
      [...all.values()]
        .filter((send) => send.kind === 'forward' && send.ruleId === ruleId && send.state === 'scheduled')
        .filter(({ createdAt }) => createdAt >= since && createdAt <= until)
        .toSorted((one, other) => Number(other.createdAt) - Number(one.createdAt))
        .slice(0, limit),
  };
}

function make(kind: SendDocument['kind'], nextAt: Date, now: Date): SendDocument {
  return {
    _id: 'snd_1',
    workspaceId: 'w',
    mailboxId: 'm',
    kind,
    state: 'scheduled',
    fingerprint: 'f',
    messageId: '<1@postroom.invalid>',
    from: 'ann@acme.example',
    to: ['bob@other.example'],
    wire: Buffer.from('Subject: x\r\n\r\ny'),
    kept: Buffer.from('Subject: x\r\n\r\ny'),
    draftId: null,
    sourceEmailId: null,
    ruleId: null,
    correspondent: null,
    remainderOf: null,
    emailId: null,
    scheduledSendAt: null,
    attempts: 0,
    lastError: null,
    refused: [],
    epoch: 0,
    nextAt,
    createdAt: now,
    updatedAt: now,
    expiresAt: now,
  };
}
