import type { Mutation } from './mutation.ts';

const WRITE = 'services/mailbox-write/src';

/** Of what ingest is promised: one email for each message, and the threads of messages that come in any order. */
const faults: readonly Omit<Mutation, 'workload'>[] = [
  {
    fault: 'an email is stored as finished before its thread is known',
    file: `${WRITE}/ingest/email-document.ts`,
    code: 'isUnsettled: true,',
    instead: 'isUnsettled: false,',
  },
  {
    fault: 'an email that another process has moved is finished',
    file: `${WRITE}/ingest/unfinished-store.ts`,
    code: 'const which = { workspaceId, _id: emailId, threadId, threadKey, messageKey };',
    instead: 'const which = { workspaceId, _id: emailId };',
  },
  {
    fault: 'threads are linked in one pass',
    file: `${WRITE}/threads/threads.ts`,
    code: 'if (sight.fresh.length > 0 || sight.moves.size > 0 || moved > 0) continue;',
    instead: 'if (pass > 0) continue;',
  },
  {
    fault: 'the answers of an email are not linked',
    file: `${WRITE}/threads/thread-store.ts`,
    code: '{ ...within, answers: { $in: answered } },',
    instead: '',
  },
  {
    fault: 'a refused email is taken for stored',
    file: `${WRITE}/ingest/storing.ts`,
    code: 'answer(loser, winner._id);',
    instead: 'answer(loser, loser._id);',
  },
  {
    fault: 'a lost batch is brought again and stored twice',
    file: `${WRITE}/inserting/insert-all-store.ts`,
    code: 'if (code === DUPLICATE_KEY) outcome.duplicates.push(document);',
    instead: 'if (code === DUPLICATE_KEY) continue;',
  },
];

export const ingestMutations: readonly Mutation[] = faults.map((one) => ({ workload: 'ingest', ...one }));
