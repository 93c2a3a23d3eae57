import type { Mutation } from './mutation.ts';

const BACKFILL = 'services/classifier/src/backfill';
const LABELS = 'services/mailbox-write/src/changes/label-changes.ts';

/** Of what a backfill and an undo are promised. */
const faults: readonly Omit<Mutation, 'workload'>[] = [
  {
    fault: 'a batch that is repeated gives a label again that was taken off since',
    file: LABELS,
    code: "const isFirst = { ...when, 'labelEffects.id': { $nin: effects.map(({ id }) => id) } };",
    instead: "for (const one of effects) one.id = context.ids('eff'); const isFirst = when as never;",
  },
  {
    fault: 'a backfill does not see which labels it gave',
    file: LABELS,
    code: '!labelIds.includes(_id) && !isGiven(_id)',
    instead: '!labelIds.includes(_id) && isGiven !== undefined',
  },
  {
    fault: 'a backfill moves on before its emails are labeled',
    file: `${BACKFILL}/batch.ts`,
    code: 'const failures = await classifyAll(deps, job, batch, ends);',
    instead: 'void classifyAll(deps, job, batch, ends).catch(() => undefined); const failures: Error[] = [];',
  },
  {
    fault: 'a backfill stays at its first emails',
    file: `${BACKFILL}/progress.ts`,
    code: 'progress.after = batch.at(-1) ?? progress.after;',
    instead: '',
  },
  {
    fault: 'a failure of the model moves a backfill on',
    file: `${BACKFILL}/batch.ts`,
    code: 'if (first && progress.attempts < last) throw first;',
    instead: '',
  },
  {
    fault: 'the lease of a backfill is not checked',
    file: 'services/label-rule/src/backfills/backfill-store.ts',
    code: 'done: { $lte: progress.done }, notBefore },',
    instead: 'done: { $lte: progress.done } },',
  },
  {
    fault: 'a backfill that nobody holds is found by nobody',
    file: `${BACKFILL}/backfill-store.ts`,
    code: "state: { $in: ['queued' as const, 'running' as const] },",
    instead: "state: { $in: ['queued' as const] },",
  },
  {
    fault: 'a backfill answers emails',
    file: 'services/classifier/src/classify/classify.ts',
    code: 'const mayReply = !isBackfill && rules.some',
    instead: 'const mayReply = rules.some',
  },
  {
    fault: 'an undo is marked and takes nothing off',
    file: 'services/mailbox-write/src/changes/label-changes.ts',
    code: 'return change(email, { when, labelRemoved: labelId, undone,',
    instead: 'return change(email, { when, undone,',
  },
  {
    fault: 'mail that was there before is classified as if it came now',
    file: 'services/mailbox-write/src/ingest/email-document.ts',
    code: '...(announcesReceived(mailbox, arrival) && awaitingFrom(now, deps.position)),',
    instead: '...awaitingFrom(now, deps.position),',
  },
];

export const ruleMutations: readonly Mutation[] = faults.map((one) => ({ workload: 'rules', ...one }));
