import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { randomIds } from '@postroom/runtime/ids';
import { createServiceContext } from '@postroom/runtime/service-context';
import { callOf } from '../../../../test/support/change-world.ts';
import { emailDocument } from '../../../../test/support/email-document.ts';
import { createEmailChanges } from '../changes/email-change.ts';
import { createLabelChanges } from '../changes/label-changes.ts';
import { isLeaving, locationKey } from '../location/location.ts';
import { type AtCall, watched } from '../../../../test/support/interleavings.ts';
import { createChangeMaker } from './change-maker.ts';
import { memoryEmails } from './memory-emails.test-support.ts';
import type { ReconcileDeps } from './reconcile-deps.ts';
import { createReconcileHandlers } from './reconcile-handlers.ts';

/** Of the cases; all of them with POSTROOM_FULL=1. */
const EVERY = process.env['POSTROOM_FULL'] ? 1 : 3;
const context = createServiceContext({ name: 'mailbox-write', logLevel: 'silent' });
const changes = { ...createEmailChanges(context), ...createLabelChanges(context) };
const HOME = { tellsProvider: true, trashFolderId: 'trash' };
const mailbox = {
  _id: 'mbx_one',
  workspaceId: 'wsp_one',
  provider: 'imap',
  folders: [
    { id: 'inbox', type: 'INBOX' },
    { id: 'archive', type: 'OTHER' },
    { id: 'trash', type: 'TRASH' },
  ],
} as MailboxDocument;
const { workspaceId } = mailbox;
const call = callOf(workspaceId);

function stored(id: string, folderId: string, uid: number, parts: Partial<EmailDocument>): EmailDocument {
  const location = { folderId, uidValidity: 1, uid };
  const own = {
    _id: id,
    workspaceId,
    mailboxId: mailbox._id,
    folderId,
    place: location,
    messageKey: locationKey(location),
  };
  return { ...emailDocument({ ...own, identity: 'content:one', ...parts }), words: [], rendered: '' };
}

const COPIED_AT = new Date();
/** A message in the inbox, and the copy of it that another client has just made in the archive. */
const DOCUMENTS = [
  stored('eml_original', 'inbox', 1, {
    receivedAt: new Date(COPIED_AT.getTime() - 60_000),
    isStarred: true,
    labelIds: ['lbl_kept'],
  }),
  stored('eml_copy', 'archive', 7, { receivedAt: COPIED_AT, folderType: 'OTHER', isStarred: true }),
];
const copied = () => memoryEmails(DOCUMENTS);

type World = ReturnType<typeof copied>;

/** One process of the service; `at` stands before each of its calls of the stores that emails are in. */
function processOf({ stores }: World, at: AtCall) {
  const shown = { ...stores, ...Object.fromEntries(WATCHED.map((name) => [name, watched(stores[name], at)])) };
  const given: Omit<ReconcileDeps, 'fence'> = {
    stores: shown,
    relay: { publishSoon: () => undefined },
    context,
    changeOf: createChangeMaker({ ids: randomIds, clock: context.clock }),
    removeAnnounced: async (_workspaceId, _mailboxId, some, remove) =>
      some.length - (await remove(some.map(({ _id }) => _id))).length,
    finalizing: { unfinished: { findUnfinished: async () => [] } } as unknown as ReconcileDeps['finalizing'],
  };
  return createReconcileHandlers({ ...given, requireMailbox: async () => mailbox, queueByMailbox: (_, run) => run() });
}
/** Once emails are removed nothing of the move is left to do: that is tried with the engine. */
const WATCHED = ['locations', 'gone', 'bulk'] as const;

const nothingSaid = {
  states: [],
  goneUids: [],
  isCompleteListing: false,
  uids: [],
  isTakenIn: false,
  epoch: 1,
  pass: 1,
};
const says = (world: World, said: object, at: AtCall = (_, go) => go()) => {
  const request = { ...nothingSaid, mailboxId: mailbox._id, uidValidity: 1, folderId: 'inbox', ...said };
  return processOf(world, at).applyProviderChanges({ ...request, at: new Date().toISOString() }, call);
};
const endPass = async (world: World, pass: number) => {
  for (const [id, email] of world.emails) world.emails.set(id, { ...email, outbox: {} });
  await processOf(world, (_, go) => go()).finishPass({ mailboxId: mailbox._id, pass, epoch: 1 }, call);
};

/** Reports of the provider after a crash. None of these lists a folder. */
const AFTERWARDS: Record<string, (world: World) => Promise<unknown>> = {
  'the provider repeats what has gone': (world) => says(world, { goneUids: [1] }),
  'a pass sees nothing new': async () => undefined,
  'the flags of the copy are reported': (world) =>
    says(world, {
      folderId: 'archive',
      states: [{ uid: 7, isRead: false, isStarred: true, labels: [], folderId: undefined }],
    }),
};

type Change = (world: World) => void;
const onOriginal = (world: World) => world.emails.get('eml_original') as EmailDocument;
/** A copy that has given way is as good as gone. */
function onCopy(world: World): EmailDocument {
  const copy = world.emails.get('eml_copy');
  return copy && !isLeaving(copy) ? copy : onOriginal(world);
}
const read =
  (of: typeof onCopy): Change =>
  (world) => {
    const email = of(world);
    if (!email.isRead) world.change(changes.marked(workspaceId, email, { isRead: false }, { isRead: true }, HOME));
  };
const label =
  (of: typeof onCopy): Change =>
  (world) =>
    void world.change(changes.labelled(workspaceId, of(world), { _id: 'lbl_new', name: 'New', isAiLabel: false }));

interface Case {
  flag: number;
  label: number;
  kill?: { at: number; when: 'before' | 'after' };
}

/** The original is gone; meanwhile it is changed before the calls of these numbers, and the process dies at one. */
async function play(world: World, of: typeof onCopy, { flag, label: labelled, kill }: Case): Promise<number> {
  let calls = 0;
  const at: AtCall = async (_, go) => {
    const n = calls++;
    if (n === flag) read(of)(world);
    if (n === labelled) label(of)(world);
    const isDead = kill && (n > kill.at || (n === kill.at && kill.when === 'before'));
    if (isDead) throw new Error('killed');
    const answer = await go();
    if (n === kill?.at) throw new Error('killed');
    return answer;
  };
  await says(world, { goneUids: [1] }, at).catch((error: Error) => {
    if (error.message !== 'killed') throw error;
  });
  if (flag >= calls) read(of)(world);
  if (labelled >= calls) label(of)(world);
  return calls;
}

function endOf({ emails, bodies }: World) {
  const all = [...emails.values()].map(
    ({ _id, place: location, messageKey, folderId, isRead, isStarred, labelIds, gone }) => ({
      _id,
      folderId,
      isRead,
      isStarred,
      gone,
      labels: labelIds.toSorted(),
      isWhole: location !== undefined && messageKey === locationKey(location) && location.uid === 7,
    }),
  );
  return { all, bodies: [...bodies] };
}
const WANTED = {
  all: [
    {
      _id: 'eml_original',
      folderId: 'archive',
      isRead: true,
      isStarred: true,
      gone: undefined,
      labels: ['lbl_kept', 'lbl_new'],
      isWhole: true,
    },
  ],
  bodies: ['eml_original'],
};

/** A change after a death is a change after all calls, so that case comes once. */
function* casesOf(calls: number): Generator<Case> {
  const kills: Case['kill'][] = Array.from({ length: calls }, (_, at) => at).flatMap((at) => [
    { at, when: 'before' },
    { at, when: 'after' },
  ]);
  for (const kill of [undefined, ...kills]) {
    const points = [...Array.from({ length: (kill?.at ?? calls - 1) + 1 }, (_, n) => n), calls];
    for (const flag of points) for (const labelled of points) yield { flag, label: labelled, ...(kill && { kill }) };
  }
}

describe('a message that another client moves by COPY and EXPUNGE', () => {
  const targets = { original: onOriginal, copy: onCopy };
  const scenes = (Object.keys(targets) as (keyof typeof targets)[]).flatMap((target) =>
    Object.keys(AFTERWARDS).map((afterwards) => ({ target, afterwards })),
  );

  it.each(scenes)(
    'keeps its id, labels, stars and read state when the $target is changed before any store call and a process dies at any; then $afterwards',
    async ({ target, afterwards }) => {
      const of = targets[target];
      const calls = await play(copied(), of, { flag: -1, label: -1 });
      let cases = 0;
      for (const one of casesOf(calls)) {
        cases += 1;
        if (cases % EVERY !== 0) continue;
        const world = copied();
        await play(world, of, one);
        // Nothing was written: then the provider says it again in any case.
        if (!onOriginal(world).gone && onOriginal(world).folderId === 'inbox') await says(world, { goneUids: [1] });
        await AFTERWARDS[afterwards]?.(world);
        for (const pass of [1, 2, 3]) await endPass(world, pass);
        const end = endOf(world);
        if (!isDeepStrictEqual(end, WANTED)) expect([one, end]).toEqual([one, WANTED]);
      }
      expect(cases).toBeGreaterThan(calls ** 2);
    },
  );
});
