import { refuse } from '@postroom/errors/refuse';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import type { ApplyProviderChangesRequest } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Call } from '@postroom/rpc/call';
import { fenceOf } from '../fence/fence.ts';
import { compareWithListing } from './compare-with-listing.ts';
import { completeMoves, mergeMoved } from './merge-moved.ts';
import { locationKey } from '../location/location.ts';
import type { ReconcileDeps } from './reconcile-deps.ts';
import { forgetLocations, markGone } from './mark-gone.ts';
import { removeGone } from './remove-gone.ts';
import { applyReportedFlags } from './apply-reported-flags.ts';
import { completeChanges } from './completed-changes.ts';
import { mergedRanges, toRanges } from '@postroom/mail-server/uid-ranges';
import type { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Handlers } from '@postroom/rpc/definition';
import type { ReportedState } from './changes-from-provider.ts';

interface Given extends Omit<ReconcileDeps, 'fence'> {
  requireMailbox(workspaceId: string, mailboxId: string): Promise<MailboxDocument>;
  queueByMailbox<T>(key: string, run: () => Promise<T>): Promise<T>;
}

/** The calls that synchronize a mailbox with its provider. Only the holder of its lease may make them. */
export function createReconcileHandlers(given: Given) {
  const held = async <T>(
    { mailboxId, epoch }: { mailboxId: string; epoch: number },
    { workspaceId }: Call,
    work: (mailbox: MailboxDocument, deps: ReconcileDeps) => Promise<T>,
  ): Promise<T> => {
    const mailbox = await given.requireMailbox(workspaceId, mailboxId);
    const fence = fenceOf(given.stores.leases, mailbox, epoch);
    return given.queueByMailbox(mailboxId, async () => {
      await fence();
      const deps = { ...given, fence };
      await completeMoves(deps, mailbox);
      return work(mailbox, deps);
    });
  };

  return {
    applyProviderChanges: (request, call) =>
      held(request, call, async (mailbox, deps) => {
        const at = timeOf(request.at);
        const { states, folderId, uidValidity, pass } = request;
        const keyOf = (uid: number) => locationKey({ folderId, uidValidity, uid });
        const { changed, known } = await applyReportedFlags(deps, mailbox, reportsOf(mailbox, request), at);
        const unknown = states.map(({ uid }) => uid).filter((uid) => !known.has(keyOf(uid)));
        const gone = await markGone(deps, mailbox, request.goneUids.map(keyOf), { round: pass, isSure: true });
        const missing = request.isCompleteListing ? await compareWithListing(deps, mailbox, request) : nothingMissing;
        const moved = await mergeMoved(deps, mailbox, [...gone, ...missing.gone]);
        return {
          unknownUids: mergedRanges([...toRanges(unknown), ...missing.unknown]),
          changed,
          moved,
          gone: gone.length + missing.gone.length,
          suspected: missing.suspected,
        };
      }),

    forgetLocations: (request, call) =>
      held(request, call, async (mailbox, deps) => ({ forgotten: await forgetLocations(deps, mailbox, request) })),

    completeProviderChanges: (request, call) =>
      held(request, call, async (mailbox, deps) => {
        const completed = request.changes.map((change) => ({ ...change, at: timeOf(change.at) }));
        await completeChanges(deps, mailbox, completed, request.pass);
        return {};
      }),

    finishPass: (request, call) =>
      held(request, call, async (mailbox, deps) => ({ removed: await removeGone(deps, mailbox, request.pass) })),
  } satisfies Partial<Handlers<MailboxWriteServiceDefinition>>;
}

const nothingMissing = { gone: [], suspected: 0, unknown: [] };

function reportsOf({ folders }: MailboxDocument, request: ApplyProviderChangesRequest): Map<string, ReportedState> {
  const { folderId, uidValidity, states } = request;
  return new Map(
    states.map(({ uid, isRead, isStarred, labels, folderId: shownIn }) => {
      const shown = shownIn === undefined ? undefined : folders.find(({ id }) => id === shownIn);
      if (shownIn !== undefined && !shown) refuse('states.folderId', 'must be the id of a folder of this mailbox');
      return [locationKey({ folderId, uidValidity, uid }), { isRead, isStarred, labels, ...(shown && { shown }) }];
    }),
  );
}

function timeOf(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) refuse('at', 'must be an ISO 8601 date-time');
  return time;
}
