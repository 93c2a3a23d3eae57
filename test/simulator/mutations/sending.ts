import type { Mutation } from './mutation.ts';

const SEND = 'services/outbound-send/src';
const WRITE = 'services/mailbox-write/src';

/** Of what messages that leave are promised: claims, fencing, no send twice, permits, and the draft of a reply. */
const faults: readonly Omit<Mutation, 'workload'>[] = [
  {
    fault: 'a claim does not fence the holder before',
    file: `${SEND}/stored-sends/due-send-store.ts`,
    code: 'const update = { $set: { nextAt: leaseUntil }, $inc: { epoch: 1 } };',
    instead: 'const update = { $set: { nextAt: leaseUntil } };',
  },
  {
    fault: 'a send is claimed before its lease is over',
    file: `${SEND}/stored-sends/due-send-store.ts`,
    code: 'nextAt: { $gt: new Date(0), $lte: now },',
    instead: 'nextAt: { $gt: new Date(0) },',
  },
  {
    fault: 'a send that has another holder is put back',
    file: `${SEND}/stored-sends/due-send-store.ts`,
    code: 'await sends.updateOne({ _id, workspaceId, epoch }, { $set: { nextAt: now } }',
    instead: 'await sends.updateOne({ _id, workspaceId }, { $set: { nextAt: now } }',
  },
  {
    fault: 'a step is not fenced',
    file: `${SEND}/stored-sends/send-store.ts`,
    code: 'const held = { _id, workspaceId, epoch, state: { $in: from } };',
    instead: 'const held = { _id, workspaceId, state: { $in: from } };',
  },
  {
    fault: 'a step is made from any state',
    file: `${SEND}/stored-sends/send-store.ts`,
    code: 'const held = { _id, workspaceId, epoch, state: { $in: from } };',
    instead: 'const held = { _id, workspaceId, epoch };',
  },
  {
    fault: 'a repeat takes up a send that is under way',
    file: `${SEND}/stored-sends/send-store.ts`,
    code: 'const seen = { _id, workspaceId, epoch, state: { $in: from } };',
    instead: 'const seen = { _id, workspaceId };',
  },
  {
    fault: 'a repeat does not fence the holder before',
    file: `${SEND}/stored-sends/send-store.ts`,
    code: 'const update = { $set: change, $inc: { epoch: 1 } };',
    instead: 'const update = { $set: change };',
  },
  {
    fault: 'a lease is renewed by whoever had it',
    file: `${SEND}/stored-sends/send-store.ts`,
    code: 'const held = { _id, workspaceId, epoch, state: { $in: UNDER_WAY } };',
    instead: 'const held = { _id, workspaceId };',
  },
  {
    fault: 'the second call of an operation sends, too',
    file: `${SEND}/stored-sends/send-store.ts`,
    code: 'if (isAnyDuplicate(error)) return false;',
    instead: 'if (isAnyDuplicate(error)) return true as never;',
  },
  {
    fault: 'the end of the data is not stored before it is sent',
    file: `${SEND}/sending/attempt.ts`,
    code: "held = await change(held, { state: 'data_ending', refused }, deps);",
    instead: '',
  },
  {
    fault: 'a message whose answer was lost is sent again',
    file: `${SEND}/sending/attempt.ts`,
    code: "if (delivery.outcome === 'unknown') return becomeUnknown(held, delivery.reason, deps);",
    instead:
      "if (delivery.outcome === 'unknown') return refuse(held, { ...delivery, isServed: true, refused: [] }, deps);",
  },
  {
    fault: 'a message is sent again after a death before the answer',
    file: `${SEND}/sending/run-send.ts`,
    code: "return searchFiled(await becomeUnknown(send, 'interrupted before the server answered', deps), deps);",
    instead: 'return goOrCancel(send, deps);',
  },
  {
    fault: 'a message leaves after its caller was told that it was not sent',
    file: `${SEND}/sending/run-send.ts`,
    code: "if (send.kind === 'send') return failSend(",
    instead: "if (send.kind === 'remainder') return failSend(",
  },
  {
    fault: 'a message that was sent is not recorded after a death',
    file: `${SEND}/sending/run-send.ts`,
    code: "case 'accepted':\n      return recordSent(send, deps);",
    instead: "case 'accepted':\n      return change(send, { nextAt: null }, deps);",
  },
  {
    fault: 'a message is recorded before the server has taken it',
    file: `${SEND}/sending/attempt.ts`,
    code: "if (delivery.outcome === 'accepted') {",
    instead: "if (delivery.outcome === 'accepted' || !delivery.isServed) {",
  },
  {
    fault: 'a refusal for good is tried again',
    file: `${SEND}/sending/attempt.ts`,
    code: "if (isFinal || send.kind === 'send' || delay === undefined) return failSend(",
    instead: "if (send.kind === 'send' || delay === undefined) return failSend(",
  },
  {
    fault: 'a refusal for now is final',
    file: `${SEND}/sending/attempt.ts`,
    code: "if (isFinal || send.kind === 'send' || delay === undefined) return failSend(",
    instead: 'if (delay !== null) return failSend(',
  },
  {
    fault: 'a mailbox has any number of permits',
    file: `${SEND}/send-permits/permit-store.ts`,
    code: '[`holders.${most - 1}`]: { $exists: false } };',
    instead: '};',
  },
  {
    fault: 'a permit is not renewed',
    file: `${SEND}/send-permits/permit-store.ts`,
    code: 'await sendPermits.updateOne(mailbox, { $push: { holders: { id, until: longer } } }, QUERY_LIMIT);',
    instead: '',
  },
  {
    fault: 'the permits of a dead process stay',
    file: `${SEND}/send-permits/permit-store.ts`,
    code: '$pull: { holders: { until: { $not: { $gt: now, $lte: furthest } } } },',
    instead: '',
  },
  {
    fault: 'a permit is not released',
    file: `${SEND}/send-permits/permit-store.ts`,
    code: '$pull: { holders: { id } },\n        ...(served',
    instead: '...(served',
  },
  {
    fault: 'a reply leaves before its draft is there',
    file: `${SEND}/replies/replies.ts`,
    code: 'nextAt: new Date(scheduledSendAt.getTime() + LEFT_AFTER_MS),',
    instead: 'nextAt: scheduledSendAt,',
  },
  {
    fault: 'a repeat of a reply does not find the reply',
    file: `${SEND}/replies/replies.ts`,
    code: '? send : sends.find(call.workspaceId, send._id);',
    instead: '? send : null;',
  },
  {
    fault: 'a draft becomes sent twice',
    file: `${WRITE}/outgoing/outgoing-store.ts`,
    code: 'const filter = { workspaceId, _id: draft._id, isDraft: true, ...NOT_TAKEN_OVER, ...asRead };',
    instead: 'const filter = { workspaceId, _id: draft._id };',
  },
  {
    fault: 'a process that stood still changes the schedule of a draft',
    file: `${WRITE}/outgoing/outgoing-store.ts`,
    code: '[isLater, ...isOther].map((is) => is(by))',
    instead: '[...isOther, () => ({ _id: null })].map((is) => is(by))',
  },
  {
    fault: 'a reply or forward leaves from a mailbox that is disconnected',
    file: `${SEND}/sending/precondition-store.ts`,
    code: "return mailbox?.status === 'active';",
    instead: 'return mailbox !== null;',
  },
  {
    fault: 'a forward leaves from a suspended workspace',
    file: `${SEND}/sending/precondition-store.ts`,
    code: 'return found?.suspendedAt === null;',
    instead: 'return found !== null;',
  },
  {
    fault: 'an email that is thrown away is answered and forwarded',
    file: `${SEND}/sending/preconditions.ts`,
    code: "email !== undefined && email.folderType !== 'TRASH' && email.folderType !== 'SPAM';",
    instead: 'email !== undefined;',
  },
  {
    fault: 'a recipient whom the server asked to wait for is forgotten',
    file: `${SEND}/sending/record.ts`,
    code: 'if (deferred) await deps.sends.insert(send.workspaceId, deferred);',
    instead: '',
  },
  {
    fault: 'the sender is not told of a recipient whom the server refused',
    file: `${SEND}/sending/record.ts`,
    code: "if (failed.length > 0) await deps.reportUndelivered(send, failed, 'refused');",
    instead: '',
  },
  {
    fault: 'a forward that has left is undone',
    file: `${SEND}/forwards/undo-forward.ts`,
    code: 'const refusal = whyForwardStays(send.state);',
    instead: 'const refusal = null;',
  },
  {
    fault: 'a draft that is leaving is thrown away',
    file: `${WRITE}/changes/discard-draft.ts`,
    code: "if (draft.scheduledStatus === 'sending') throw conflict(",
    instead: "if (draft.scheduledStatus === 'pending') throw conflict(",
  },
  {
    fault: 'a draft leaves although a mail program has saved it meanwhile',
    file: `${SEND}/sending/attempt.ts`,
    code: 'if (isOfDraft(held) && !(await deps.draftIsUnchanged(held)))',
    instead: 'if (isOfDraft(held) && false)',
  },
  {
    fault: 'a draft that a person sends is shown as canceled when the end of its reply comes late',
    file: `${WRITE}/outgoing/outgoing-store.ts`,
    code: "const isOther = set.scheduledStatus === 'canceled' ? [isLeavingByAnother] : [];",
    instead: 'const isOther: (typeof isLeavingByAnother)[] = [];',
  },
  {
    fault: 'the schedule of a sent email changes',
    file: `${WRITE}/outgoing/outgoing-store.ts`,
    code: 'return change({ workspaceId, _id: emailId, isDraft: true, ...which,',
    instead: 'return change({ workspaceId, _id: emailId, ...which,',
  },
  {
    fault: 'a sent email is announced before it is stored',
    file: `${WRITE}/outgoing/mark-sent.ts`,
    code: 'const became = await outgoing.markSent(',
    instead: 'announce(read._id, events); const became = await outgoing.markSent(',
  },
  {
    fault: 'a draft leaves with the body of another version',
    file: 'libs/mail-store/src/body-version.ts',
    code: '!isDraft || version === bodyVersion',
    instead: 'true || version === bodyVersion || isDraft',
  },
  {
    fault: 'a draft that was sent gets the body that a mail program saves',
    file: `${WRITE}/reconcile/rewritten-draft.ts`,
    code: 'return { ...change, when: { ...(change.when as AsRead), scheduledStatus } };',
    instead: 'return { ...change, when: {}, ...(scheduledStatus && {}) };',
  },
];

export const sendingMutations: readonly Mutation[] = faults.map((one) => ({ workload: 'sending', ...one }));
