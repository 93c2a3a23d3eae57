import type { Mutation } from './mutation.ts';

const DELIVERY = 'services/webhook-delivery/src';

/** Of what the owner of a webhook is promised: each change is delivered or visible as given up, whatever dies meanwhile. */
const faults: readonly Omit<Mutation, 'workload'>[] = [
  {
    fault: 'the cursor of a webhook moves before its deliveries are stored',
    file: `${DELIVERY}/delivering/deliver-changes.ts`,
    code: `      await deliverAll(webhook, deliveries, signal);
      if (page.nextSeq > seq) await progress.advance(workspaceId, webhookId, page.nextSeq);`,
    instead: `      if (page.nextSeq > seq) await progress.advance(workspaceId, webhookId, page.nextSeq);
      await deliverAll(webhook, deliveries, signal);`,
  },
  {
    fault: 'a page that was delivered in part is skipped',
    file: `${DELIVERY}/delivering/deliver-changes.ts`,
    code: 'const fresh = deliveries.filter(({ _id }) => !ids.has(_id));',
    instead: 'const fresh = ids.size > 0 ? [] : deliveries;',
  },
  {
    fault: 'a failed attempt plans no other one',
    file: `${DELIVERY}/delivering/schedule.ts`,
    code: 'nextAttemptAt: new Date(at.getTime() + durationMs + delay),',
    instead: '',
  },
  {
    fault: 'a planned attempt is found by nobody',
    file: `${DELIVERY}/delivering/record-attempt.ts`,
    code: 'if (next.nextAttemptAt) await raiseDue(workspaceId, webhookId, next.nextAttemptAt);',
    instead: '',
  },
  {
    fault: 'the time of what is due is overwritten',
    file: `${DELIVERY}/delivering/progress-store.ts`,
    code: 'const same = { workspaceId, _id: webhookId, dueAt: before };',
    instead: 'void before; const same = { workspaceId, _id: webhookId };',
  },
  {
    fault: 'a search for what is due that died is not taken up',
    file: `${DELIVERY}/delivering/schedule.ts`,
    code: 'dueAt !== null && (dueAt.getTime() <= now || dueAt.getTime() === DUE_UNKNOWN.getTime());',
    instead: 'dueAt !== null && dueAt.getTime() <= now;',
  },
  {
    fault: 'every process delivers for every workspace',
    file: `${DELIVERY}/sharing/workspace-owner.ts`,
    code: 'return ownerOf(workspaceId, live, now) === id && (isAlone || ownerOf(workspaceId, live, now - HANDOVER_MS) === id);',
    instead: 'return isAlone || ownerOf(workspaceId, live, now - HANDOVER_MS) !== undefined;',
  },
  {
    fault: 'a process that says nothing keeps its share',
    file: `${DELIVERY}/sharing/deliverer-store.ts`,
    code: 'deliverers.find({ expiresAt: { $gt: now } }, null, QUERY_LIMIT)',
    instead: 'deliverers.find({ expiresAt: { $gt: new Date(now.getTime() - 3_600_000) } }, null, QUERY_LIMIT)',
  },
  {
    fault: 'a failure behind a success takes the success back',
    file: `${DELIVERY}/delivering/progress-store.ts`,
    code: "const unchanged = { ...one, status: 'pending', failures: failures - 1 } as const;",
    instead: 'const unchanged = one;',
  },
  {
    fault: 'deliveries that are recovered are told to nobody',
    file: `${DELIVERY}/deliveries/recover.ts`,
    code: 'await deliveries.tell(workspaceId, webhook._id, now, call);',
    instead: '',
  },
  {
    fault: 'a replay is made again and again',
    file: `${DELIVERY}/delivering/progress-store.ts`,
    code: "const replayed = { ...told, ...done, $unset: { ...done.$unset, replayAt: '' as const } };",
    instead: 'const replayed = { ...told, ...done };',
  },
  {
    fault: 'a replay that was asked for during another one is forgotten',
    file: `${DELIVERY}/delivering/progress-store.ts`,
    code: 'if ((await deliveries.updateOne({ ...one, replayAt }, replayed, QUERY_LIMIT)).matchedCount === 1) return;',
    instead: 'if ((await deliveries.updateOne(one, replayed, QUERY_LIMIT)).matchedCount === 1) return;',
  },
  {
    fault: 'a webhook is told of no change whose process has a clock that is behind',
    file: `${DELIVERY}/delivering/deliver-changes.ts`,
    code: 'const since = webhook.createdAt.getTime() - SLACK_MS;',
    instead: 'const since = webhook.createdAt.getTime();',
  },
  {
    fault: 'a delivery is given up after its first attempt',
    file: `${DELIVERY}/delivering/schedule.ts`,
    code: 'const delay = delaysMs[failures];',
    instead: 'const delay = delaysMs[failures + 9];',
  },
  {
    fault: 'a webhook begins with the first change of its workspace',
    file: `${DELIVERY}/webhooks/webhooks.ts`,
    code: 'cursor: await deps.headOf(call),',
    instead: 'cursor: 0,',
  },
  {
    fault: 'an event that a webhook does not ask for is delivered',
    file: `${DELIVERY}/deliveries/new-delivery.ts`,
    code: 'events.length === 0 || events.includes(event);',
    instead: 'events.length >= 0 || events.includes(event);',
  },
];

export const webhookMutations: readonly Mutation[] = faults.map((one) => ({ workload: 'webhooks', ...one }));
