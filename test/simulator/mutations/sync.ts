import type { Mutation } from './mutation.ts';

const SYNC = 'services/mailbox-sync/src';
const WRITE = 'services/mailbox-write/src';

/** Of what a mailbox at a provider is promised: leases and fences, cursors, moves, and removals. */
const faults: readonly Omit<Mutation, 'workload'>[] = [
  {
    fault: 'a new holder of a mailbox does not fence the one before',
    file: `${SYNC}/leases/lease-store.ts`,
    code: 'const update = { $set: { owner, until }, $inc: { epoch: 1 } };',
    instead: 'const update = { $set: { owner, until } };',
  },
  {
    fault: 'a mailbox is claimed before its lease is over',
    file: `${SYNC}/leases/lease-store.ts`,
    code: 'const free = { _id: mailboxId, until: { $lt: now } };',
    instead: 'const free = { _id: mailboxId };',
  },
  {
    fault: 'reports of a provider are not fenced',
    file: `${WRITE}/fence/fence.ts`,
    code: 'if ((await leases.epoch(workspaceId, _id)) > epoch)',
    instead: 'if ((await leases.epoch(workspaceId, _id)) < 0)',
  },
  {
    fault: 'the cursor of a folder moves before its mail is stored',
    file: `${SYNC}/scanning/scan.ts`,
    code: 'if (uids.length > 0 && (await reopen(session, state))) await takeArrivals(session, state, uids);',
    instead:
      'if (state.sync) await saveSync(session, state, { uidNext }); if (uids.length > 0 && (await reopen(session, state))) await takeArrivals(session, state, uids);',
  },
  {
    fault: 'the count of changes moves before the changes are applied',
    file: `${SYNC}/scanning/scan.ts`,
    code: 'await proveCount(session, state, opened);',
    instead: 'await saveSync(session, state, { highestModseq: String(opened.highestModseq ?? 0) });',
  },
  {
    fault: 'the cursor of old mail moves before that mail is stored',
    file: `${SYNC}/scanning/backlog.ts`,
    code: 'const step = state.backlog.slice(-STEP).reverse();',
    instead: 'const step = state.backlog.slice(-STEP).reverse(); await saveSync(session, state, { lowestDone: 1 });',
  },
  {
    fault: 'flags of other clients are not applied',
    file: `${WRITE}/reconcile/apply-reported-flags.ts`,
    code: 'return fromProvider ? deps.changeOf(workspaceId, email, fromProvider) : null;',
    instead: 'return fromProvider ? null : fromProvider ?? null;',
  },
  {
    fault: 'an email that is missing once is removed',
    file: `${WRITE}/reconcile/compare-with-listing.ts`,
    code: 'await markGone(deps, mailbox, keysOf(doubted), { round: pass, isSure: false });',
    instead: 'await markGone(deps, mailbox, keysOf(doubted), { round: pass - 1, isSure: true });',
  },
  {
    fault: 'an email that is missing is never missed again',
    file: `${SYNC}/scanning/compare.ts`,
    code: 'if (isShort) state.doubtedIn = pass;',
    instead: 'if (isShort) state.doubtedIn = null;',
  },
  {
    fault: 'a lease whose claim was not answered is renewed',
    file: `${SYNC}/leases/lease-store.ts`,
    code: 'const held = { _id: { $in: [...mailboxIds] }, owner };',
    instead: 'const held = { owner };',
  },
  {
    fault: 'a session begins with the pass of its claim',
    file: `${SYNC}/leases/lease-store.ts`,
    code: '{ $inc: { round: 1 } }',
    instead: '{ $set: { round: 1 } }',
  },
  {
    fault: 'removed emails stay',
    file: `${WRITE}/reconcile/remove-gone.ts`,
    code: 'const count = await removeEmails(deps, mailbox, gone, pass);',
    instead: 'const count = gone.length;',
  },
  {
    fault: 'emails are removed before copies of them are looked for',
    file: `${WRITE}/reconcile/remove-gone.ts`,
    code: 'const moved = await mergeMoved(deps, mailbox, identities);',
    instead: 'const moved = identities.length - gone.length;',
  },
  {
    fault: 'a folder that refuses to open holds removals back for ever',
    file: `${SYNC}/session/session.ts`,
    code: 'const TRIES = 5;',
    instead: 'const TRIES = Infinity;',
  },
  {
    fault: 'removals that were held back wait for the next one',
    file: `${SYNC}/connecting/pass.ts`,
    code: 'if (isRemoving && session.isHeldBack) searchForMoved(session);',
    instead: '',
  },
  {
    fault: 'a moved message is a new email',
    file: `${WRITE}/reconcile/which-email.ts`,
    code: "if (moved) return { kind: 'moved', email: moved };",
    instead: "if (moved) return { kind: 'new' };",
  },
  {
    fault: 'a copy is announced as received',
    file: `${WRITE}/reconcile/which-email.ts`,
    code: "return of ? { kind: 'copy', of } : { kind: 'new' };",
    instead: "return { kind: 'new' };",
  },
  {
    fault: 'a copy is younger than its original by the clocks of their processes alone',
    file: `${WRITE}/ingest/email-document.ts`,
    code: 'return copyOf ? new Date(',
    instead: 'return copyOf === null ? new Date(',
  },
  {
    fault: 'a copy gives its location up whether or not the original could be changed',
    file: `${WRITE}/reconcile/hand-over-location.ts`,
    code: 'writes.push({ email, change: handOver(email, copy, now), isLast: false });',
    instead:
      'const left = { messageKey: removedKey(copy._id), gone: { round: HANDOVER_PASS, isSure: true } }; writes.push({ email: copy, change: { set: left }, isLast: false }, { email, change: handOver(email, copy, now), isLast: false });',
  },
  {
    fault: 'messages are changed by UIDs of before where a folder has others now',
    file: `${SYNC}/scanning/scan.ts`,
    code: 'if (session.open?.path !== state.folder.path) await openFolder',
    instead: 'if (session.open?.path === state.folder.path) return true; await openFolder',
  },
  {
    fault: 'a pending change is forgotten before the provider has it',
    file: `${SYNC}/write-back/write-pending.ts`,
    code: 'await reportResults(session, await work(), clock.date());',
    instead: 'await reportResults(session, [...pending], clock.date()); await work();',
  },
  {
    fault: 'a change of the API is not told to the provider',
    file: `${WRITE}/changes/email-change.ts`,
    code: 'tellsProvider ? {',
    instead: '!tellsProvider ? {',
  },
  {
    fault: 'a removal is told before the email is gone',
    file: 'services/changes/src/appending/correct-late-events.ts',
    code: 'if (now - createdAt.getTime() < REMOVING_MS) throw new RetryLater(1_000);',
    instead: '',
  },
];

export const syncMutations: readonly Mutation[] = faults.map((one) => ({ workload: 'sync', ...one }));
