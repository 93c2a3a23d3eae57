import type { Mutation } from './mutation.ts';

const CHANGES = 'services/changes/src';

/** Of what a client of the feed is promised: every change once, dense numbers, and a mirror that equals the emails. */
const faults: readonly Omit<Mutation, 'workload'>[] = [
  {
    fault: 'a late event is not corrected',
    file: `${CHANGES}/appending/correct-late-events.ts`,
    code: 'if (last && !isRepeat && agrees(last, aspect, state)) planned.push',
    instead: 'if (last && !isRepeat && !agrees(last, aspect, state)) planned.push',
  },
  {
    fault: 'a late event is corrected by the state before the newest number is known',
    file: `${CHANGES}/appending/append.ts`,
    code: `const head = await newestNumbers.of(workspaceId);
      const known = isRepeat ? await changes.known(workspaceId, ids) : new Map<string, number>();
      const fresh = await withCorrections({ changes, emails }, workspaceId, events, { known, now: clock.now() });`,
    instead: `const known = isRepeat ? await changes.known(workspaceId, ids) : new Map<string, number>();
      const fresh = await withCorrections({ changes, emails }, workspaceId, events, { known, now: clock.now() });
      const head = await newestNumbers.of(workspaceId);`,
  },
  {
    fault: 'a write that was refused counts as done',
    file: `${CHANGES}/appending/append.ts`,
    code: 'if (!(await changes.append(workspaceId, documents))) continue;',
    instead: 'await changes.append(workspaceId, documents);',
  },
  {
    fault: 'an event is committed before it is in the feed',
    file: `${CHANGES}/appending/batches.ts`,
    code: 'setImmediate(() => void work(workspaceId, first));',
    instead: 'setImmediate(() => void work(workspaceId, first)); resolve();',
  },
  {
    fault: 'an event that fails takes its batch with it',
    file: `${CHANGES}/appending/batches.ts`,
    code: 'else for (const one of batch) await write(workspaceId, [one]);',
    instead: 'else for (const one of batch) one.resolve();',
  },
  {
    fault: 'what came before an email appears is not repeated',
    file: `${CHANGES}/appending/correct-late-events.ts`,
    code: 'if (!APPEARING.includes(event) || !state) return [];',
    instead: 'if (!APPEARING.includes(event) || state) return [];',
  },
  {
    fault: 'both flags are repeated where one is missed',
    file: `${CHANGES}/appending/correct-late-events.ts`,
    code: 'data: { emailId, changes: { [name]: true } },',
    instead: 'data: found.data,',
  },
  {
    fault: 'events of one moment keep no order',
    file: `${CHANGES}/appending/correct-late-events.ts`,
    code: 'return events.toSorted((a, b) => timeOf(a) - timeOf(b) || rank(a) - rank(b));',
    instead: 'return events.toSorted((a, b) => rank(b) - rank(a));',
  },
  {
    fault: 'an email appears behind what is told of it',
    file: `${CHANGES}/appending/correct-late-events.ts`,
    code: 'appears(change) ? (firsts.get(emailIdOf(change.data)) ?? 0) : change.createdAt.getTime();',
    instead: 'change.createdAt.getTime();',
  },
  {
    fault: 'a label that is off is told as put on',
    file: `${CHANGES}/appending/correct-late-events.ts`,
    code: "=== (event === 'label.applied');",
    instead: "=== (event !== 'label.applied');",
  },
  {
    fault: 'the cursor of a page is behind what the page left out',
    file: `${CHANGES}/handlers.ts`,
    code: 'return pageOf(workspaceId, found.slice(0, most), after, found.length > most);',
    instead:
      'return { ...pageOf(workspaceId, found, after, found.length > most), changes: pageOf(workspaceId, found.slice(0, most), after, false).changes };',
  },
  {
    fault: 'changes are given in no order',
    file: `${CHANGES}/feed/change-store.ts`,
    code: '.sort({ seq: 1 })',
    instead: '.sort({ seq: -1 })',
  },
  {
    fault: 'a workspace continues the numbers of another',
    file: `${CHANGES}/feed/change-store.ts`,
    code: '.findOne({ workspaceId }, { seq: 1 }, { ...QUERY_LIMIT, ...options })',
    instead: '.findOne({}, { seq: 1 }, { ...QUERY_LIMIT, ...options })',
  },
];

export const feedMutations: readonly Mutation[] = faults.map((one) => ({ workload: 'feed', ...one }));
