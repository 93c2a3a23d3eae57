import type { Mutation } from './mutation.ts';

const CLASSIFIER = 'services/classifier/src';
const FORWARDER = 'services/forwarder/src/forwards';
const WRITE = 'services/mailbox-write/src';
const EVENTS = 'libs/events/src';
const STORE = 'libs/mail-store/src';
const LABEL_RULE = 'services/label-rule/src';

/** Of what mail that arrives is promised: leases, order in a thread, one label, reply and forward, and the outbox. */
const faults: readonly Omit<Mutation, 'workload'>[] = [
  {
    fault: 'a lease is taken whoever has it',
    file: `${WRITE}/changes/pending-store.ts`,
    code: 'awaitsClassificationSince: { $gt: NEVER }, ...asRead }',
    instead: 'awaitsClassificationSince: { $gt: NEVER } }',
  },
  {
    fault: 'a classified email is put off again',
    file: `${WRITE}/changes/pending-store.ts`,
    code: 'awaitsClassificationSince: { $gt: NEVER }, ...asRead }',
    instead: '...asRead }',
  },
  {
    fault: 'work begins without its lease',
    file: `${CLASSIFIER}/classify/lease.ts`,
    code: 'if (!(await set(CLASSIFY_LEASE_MS, more))) throw',
    instead: 'if (!(await set(CLASSIFY_LEASE_MS, more)) && more === null) throw',
  },
  {
    fault: 'a lease is not renewed in time',
    file: `${CLASSIFIER}/classify/lease.ts`,
    code: 'const RENEWED_EVERY_MS = 2_000',
    instead: 'const RENEWED_EVERY_MS = 20_000',
  },
  {
    fault: 'an email whose classifier died is taken up again minutes later',
    file: `${CLASSIFIER}/classify/lease.ts`,
    code: 'export const CLASSIFY_LEASE_MS = 6_000;',
    instead: 'export const CLASSIFY_LEASE_MS = 150_000;',
  },
  {
    fault: 'a lease ends at once',
    file: `${CLASSIFIER}/classify/lease.ts`,
    code: 'export const CLASSIFY_LEASE_MS = 6_000',
    instead: 'export const CLASSIFY_LEASE_MS = 60',
  },
  {
    fault: 'a failed attempt is not counted',
    file: `${CLASSIFIER}/pending/attempt-failure.ts`,
    code: 'const attempts = Math.min(attemptsOf(email) + 1, MOST_ATTEMPTS)',
    instead: 'const attempts = Math.max(attemptsOf(email), 1)',
  },
  {
    fault: 'nothing goes to quarantine',
    file: `${CLASSIFIER}/pending/attempt-failure.ts`,
    code: 'quarantine: waitMs === undefined }',
    instead: 'quarantine: false }',
  },
  {
    fault: 'a service that is unavailable counts as a failure of the email',
    file: `${CLASSIFIER}/pending/attempt-failure.ts`,
    code: 'if (isUnavailable(cause) || isHanging(cause)) return',
    instead: 'if (isUnavailable(cause) && isClosing) return',
  },
  {
    fault: 'an email that fails is given up at once',
    file: `${CLASSIFIER}/pending/attempt-failure.ts`,
    code: 'cause instanceof CrashedAttempt ? undefined : PAUSES_MS[attempts - 1]',
    instead: 'undefined',
  },
  {
    fault: 'an email does not wait for those before it in its thread',
    file: `${CLASSIFIER}/pending/worker.ts`,
    code: 'thread.slice(0, own + 1)',
    instead: 'thread.slice(Math.max(own, 0), own + 1)',
  },
  {
    fault: 'an email is taken up while the first of its thread is put off',
    file: `${CLASSIFIER}/pending/worker.ts`,
    code: 'if (notBefore && notBefore.getTime() > deps.clock.now()) {',
    instead: 'if (notBefore && notBefore.getTime() < 0) {',
  },
  {
    fault: 'the next of a thread is taken up behind one that failed',
    file: `${CLASSIFIER}/pending/worker.ts`,
    code: "if (outcome === 'waits') return undefined;",
    instead: '',
  },
  {
    fault: 'emails of one moment have any order',
    file: `${CLASSIFIER}/pending/pending-store.ts`,
    code: "awaitsClassificationSince: 1, 'classification.order': 1, _id: 1 })",
    instead: 'awaitsClassificationSince: 1, _id: 1 })',
  },
  {
    fault: 'the poll for due emails finds none',
    file: `${CLASSIFIER}/pending/poll.ts`,
    code: "if (worker.begin(email, 'end', closing)) served = 'a part';",
    instead: "served = email === undefined ? 'a part' : served;",
  },
  {
    fault: 'a reply follows verdicts that are not kept',
    file: `${CLASSIFIER}/classify/classify.ts`,
    code: 'const { verdicts, model, reply } = await',
    instead: 'const { verdicts, model, reply } = { ...request } ?? await',
  },
  {
    fault: 'the model is asked again about what was kept',
    file: `${CLASSIFIER}/classify/classify.ts`,
    code: 'mayReply && asking.isRepeat ?',
    instead: 'mayReply && asking.isRepeat === undefined ?',
  },
  {
    fault: 'the text of a reply is not kept',
    file: `${WRITE}/changes/record-classification.ts`,
    code: '...(reply !== undefined && { reply })',
    instead: '',
  },
  {
    fault: 'verdicts of a repeat prevail over those that were kept',
    file: `${WRITE}/changes/record-classification.ts`,
    code: 'if (request.unlessOthersKept && prevails(first, said))',
    instead: 'if (request.isBackfill)',
  },
  {
    fault: 'the last verdicts are kept instead of the first',
    file: `${WRITE}/changes/classification-store.ts`,
    code: '{ $setOnInsert: first }',
    instead: '{ $set: first }',
  },
  {
    fault: 'a change does not check what it depends on',
    file: `${WRITE}/changes/change-store.ts`,
    code: '{ ...change.when, workspaceId, _id: change.emailId }',
    instead: '{ workspaceId, _id: change.emailId }',
  },
  {
    fault: 'an event is published before its change is stored',
    file: `${WRITE}/changes/record-classification.ts`,
    code: 'if (await emails.change(call.workspaceId, change, call)) {',
    instead: 'relay.publishSoon([toOutboxEntry(change)]); if (await emails.change(call.workspaceId, change, call)) {',
  },
  {
    fault: 'each attempt makes another reply',
    file: `${CLASSIFIER}/classify/prepare-reply.ts`,
    code: 'operationId: `reply:${email._id}`',
    instead: 'operationId: `reply:${email._id} ${(email.classification?.attempts ?? 0)}`',
  },
  {
    fault: 'each attempt makes another forward',
    file: `${FORWARDER}/run-rules.ts`,
    code: 'const operationId = `forward:${ruleId}:${emailId}`;',
    instead:
      'const operationId = `forward:${ruleId}:${emailId} ${(deps => (deps.tried = (deps.tried ?? 0) + 1))(outboundSend)}`;',
  },
  {
    fault: 'the sweep for forwards skips what it finds',
    file: `${FORWARDER}/run-lost.ts`,
    code: '!recent.has(one._id) && !(await isSeenTo(deps, one, rules))',
    instead: 'recent.has(one._id) && !(await isSeenTo(deps, one, rules))',
  },
  {
    fault: 'the sweep for forwards takes an email without a line for one that has been seen to',
    file: `${FORWARDER}/without-line.ts`,
    code: 'logged.has(lineId) ? [] : [emailId]',
    instead: 'logged.has(lineId) ? [emailId] : []',
  },
  {
    fault: 'the sweep for forwards does not read on',
    file: `${FORWARDER}/lost-forwards.ts`,
    code: 'waiting.set(one._id, { ...one, failures: 0 });',
    instead: '',
  },
  {
    fault: 'a forward is given up when its service is unavailable',
    file: `${FORWARDER}/run-rules.ts`,
    code: 'if (error instanceof ApiError && FINAL.has(error.code)) {',
    instead: 'if (error instanceof ApiError) {',
  },
  {
    fault: 'two attempts at one email run at once',
    file: `${STORE}/attempts-store.ts`,
    code: 'const isFree = { leaseUntil: { $not: { $gt: new Date(now) } } };',
    instead: 'const isFree = {};',
  },
  {
    fault: 'an attempt that has ended stays counted',
    file: `${STORE}/attempts-store.ts`,
    code: 'await collection.deleteOne({ _id, workspaceId }, QUERY_LIMIT);',
    instead: '',
  },
  {
    fault: 'an event leaves its outbox before it is published',
    file: `${EVENTS}/outbox/publish-pending.ts`,
    code: "await at('found');",
    instead: 'await store.markPublished(pending);',
  },
  {
    fault: 'a published event takes others off their document',
    file: `${STORE}/outbox-store.ts`,
    code: 'published.map(({ ownerId }) => ownerId))] }, outbox: {} };',
    instead: 'published.map(({ ownerId }) => ownerId))] } };',
  },
  {
    fault: 'the sweep for pending events finds none',
    file: `${STORE}/outbox-store.ts`,
    code: 'if (found.length === 0) return [];',
    instead: 'if (found.length >= 0) return [];',
  },
  {
    fault: 'a dependency that is unavailable uses up the attempts of an event',
    file: `${EVENTS}/deliver.ts`,
    code: 'if (cause instanceof RetryLater) {',
    instead: 'if (cause instanceof RetryLater && isWaiting) {',
  },
  {
    fault: 'verdicts that were kept while their email was removed stay',
    file: `${WRITE}/remains/remains-store.ts`,
    code: ', classifications.deleteMany(gone, QUERY_LIMIT)',
    instead: '',
  },
  {
    fault: 'the removal of an email is announced to nobody',
    file: `${WRITE}/removals/announce-removal.ts`,
    code: 'firstOutbox({ ...outbox, removed }',
    instead: 'firstOutbox({ ...outbox }',
  },
  {
    fault: 'a removed email takes its pending events with it',
    file: `${WRITE}/removals/announce-removal.ts`,
    code: 'firstOutbox({ ...outbox, removed }',
    instead: 'firstOutbox({ removed }',
  },
  {
    fault: 'a label that people have given is given again by its rule',
    file: `${WRITE}/changes/label-changes.ts`,
    code: 'when: { ...when, classifiedAt: { $exists: false } },',
    instead: 'when: { classifiedAt: { $exists: false } } as never,',
  },
  {
    fault: 'a label that is on an email is given again',
    file: `${WRITE}/changes/label-changes.ts`,
    code: 'when: { labelIds: { $ne: label._id } },',
    instead: 'when: {},',
  },
  {
    fault: 'a deleted label stays on emails',
    file: `${LABEL_RULE}/label-cleanup/label-cleanup.ts`,
    code: 'taken = (await mailboxWrite.forgetLabel({ labelId }, caller)).updatedCount;',
    instead: 'taken = 0;',
  },
  {
    fault: 'a forward rule that is off forwards',
    file: `${FORWARDER}/mail-store.ts`,
    code: '.find({ workspaceId, isActive: true }',
    instead: '.find({ workspaceId }',
  },
  {
    fault: 'a retry makes every email wait again',
    file: `${WRITE}/changes/pending-store.ts`,
    code: "{ workspaceId, ...named, 'classification.quarantinedAt': { $gt: NEVER } }",
    instead: '{ workspaceId, ...named }',
  },
  {
    fault: 'a retried email comes before the others of its thread',
    file: `${WRITE}/changes/pending-store.ts`,
    code: '{ $set: { awaitsClassificationSince: now }, $unset',
    instead: '{ $set: { awaitsClassificationSince: new Date(1) }, $unset',
  },
  {
    fault: 'a retried email has no attempts left',
    file: `${WRITE}/changes/pending-store.ts`,
    code: "$unset: { classification: '' } }",
    instead: "$unset: { 'classification.quarantinedAt': '' } }",
  },
  {
    fault: 'an event forwards by rules that were made behind it',
    file: `${FORWARDER}/on-email-classified.ts`,
    code: 'createdAt.getTime() <= latest',
    instead: 'createdAt.getTime() > 0',
  },
];

export const arrivingMutations: readonly Mutation[] = faults.map((one) => ({ workload: 'arriving', ...one }));
